#include "import/onnx_writer.hpp"
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

/// A folder "model" inside a temporary one, removed at the end.
struct Folder {
  fs::path top, model;
  Folder() {
    std::string name = (fs::temp_directory_path() / "ge_external_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    top = name;
    model = top / "model";
    fs::create_directories(model / "sub");
    write(model / "w.bin", "abcdABCDefgh");
    write(model / "sub" / "w.bin", "ABCD");
    write(top / "secret.bin", "ABCD");
  }
  ~Folder() { fs::remove_all(top); }
  static void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
};

ProtoBytes entry(const std::string& key, const std::string& value) { return ProtoBytes().bytes(1, key).bytes(2, value); }

ProtoBytes external(const std::string& location, const std::string& offset = "", const std::string& length = "", std::vector<int64_t> dims = {4}) {
  ProtoBytes p = tensor_header("w", static_cast<int64_t>(DType::uint8), dims);
  p.message(13, entry("location", location)).integer(14, 1);
  if (!offset.empty()) p.message(13, entry("offset", offset));
  if (!length.empty()) p.message(13, entry("length", length));
  return p;
}

std::string text_of(const Folder& folder, const ProtoBytes& tensor) {
  const OnnxModel model = OnnxModel(OnnxGraph().initializer(tensor).output("w")).opset(13);
  Folder::write(folder.model / "m.onnx", model.bytes());
  const auto graph = import_onnx_file((folder.model / "m.onnx").string());
  const auto bytes = graph->constant_value(graph->outputs()[0])->bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string error_of(const Folder& folder, const ProtoBytes& tensor) {
  try {
    return "read: " + text_of(folder, tensor);
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("external data inside the model's folder is mapped", "[import][CR-1]") {
  const Folder folder;
  CHECK(text_of(folder, external("w.bin", "4", "4")) == "ABCD");
  CHECK(text_of(folder, external("./w.bin", "", "", {12})) == "abcdABCDefgh");
  CHECK(text_of(folder, external("sub/w.bin")) == "ABCD");
  CHECK(text_of(folder, external("sub//./w.bin", "0")) == "ABCD");
  CHECK(text_of(folder, external("w.bin", "12", "0", {0})) == "");
}

TEST_CASE("external data outlives the import", "[import][CR-1]") {
  std::unique_ptr<Graph> graph;
  {
    const Folder folder;
    Folder::write(folder.model / "m.onnx", OnnxModel(OnnxGraph().initializer(external("sub/w.bin")).output("w")).opset(13).bytes());
    graph = import_onnx_file((folder.model / "m.onnx").string());
  }
  CHECK(graph->constant_value(graph->outputs()[0])->at<char>(3) == 'D');
}

TEST_CASE("every way out of the model's folder is refused", "[import][CR-1][CR-10]") {
  const Folder folder;
  fs::create_symlink(folder.top / "secret.bin", folder.model / "link.bin");
  fs::create_directory_symlink(folder.top, folder.model / "dir");
  fs::create_hard_link(folder.top / "secret.bin", folder.model / "hard.bin");
  fs::create_directory(folder.model / "folder.bin");
  CHECK_THAT(error_of(folder, external("../secret.bin")), Contains("'..'"));
  CHECK_THAT(error_of(folder, external("sub/../../secret.bin")), Contains("'..'"));
  CHECK_THAT(error_of(folder, external((folder.top / "secret.bin").string())), Contains("absolute path"));
  CHECK_THAT(error_of(folder, external("link.bin")), Contains("symbolic link 'link.bin'"));
  CHECK_THAT(error_of(folder, external("dir/secret.bin")), Contains("symbolic link 'dir'"));
  CHECK_THAT(error_of(folder, external("hard.bin")), Contains("2 hard links"));
  CHECK_THAT(error_of(folder, external("folder.bin")), Contains("it is a folder"));
  CHECK_THAT(error_of(folder, external("")), Contains("is empty"));
  CHECK_THAT(error_of(folder, external(".")), Contains("names no file"));
  CHECK_THAT(error_of(folder, external(std::string("w.bin\0x", 7))), Contains("zero byte"));
  CHECK_THAT(error_of(folder, external("missing.bin")), Contains("No such file"));
}

TEST_CASE("offsets and lengths are checked", "[import][CR-1][CR-10]") {
  const Folder folder;
  CHECK_THAT(error_of(folder, external("w.bin", "13")), Contains("starts at byte 13") && Contains("has 12"));
  CHECK_THAT(error_of(folder, external("w.bin", "10", "4")), Contains("only 2 bytes follow"));
  CHECK_THAT(error_of(folder, external("w.bin", "0", "5")), Contains("has 5 bytes, expected 4"));
  CHECK_THAT(error_of(folder, external("w.bin", "-1")), Contains("offset '-1'"));
  CHECK_THAT(error_of(folder, external("w.bin", "x")), Contains("offset 'x'"));
  CHECK_THAT(error_of(folder, external("w.bin", "99999999999999999999")), Contains("offset '99999999999999999999'"));
  CHECK_THAT(error_of(folder, external("w.bin", "9223372036854775807", "9223372036854775807")), Contains("starts at byte"));
}

TEST_CASE("a model in memory without a folder has no external data", "[import][CR-10]") {
  CHECK_THAT(import_error(OnnxModel(OnnxGraph().initializer(external("w.bin")).output("w")).opset(13)), Contains("without a folder"));
}

TEST_CASE("files that cannot be mapped are named with the reason", "[import][CR-1]") {
  const Folder folder;
  CHECK_THROWS_WITH(import_onnx_file((folder.top / "none.onnx").string()), Contains("none.onnx") && Contains("No such file"));
  CHECK_THROWS_WITH(import_onnx_file(folder.model.string()), Contains("it is a folder"));
  Folder::write(folder.top / "empty.onnx", "");
  CHECK_THROWS_WITH(import_onnx_file((folder.top / "empty.onnx").string()), Contains("has no graph") && Contains("while importing"));
}
