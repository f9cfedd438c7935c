// Inference of signal, random and string ops.
#include "ops/infer_case.hpp"

using namespace ge;
using namespace ge::testing;
using Texts = std::vector<std::string>;

TEST_CASE("DFT's length decides a dim", "[ops][CR-2]") {
  Symbols s;
  const auto dft = [&](int64_t inverse, int64_t onesided, Term parts) {
    return s.op("DFT").in({s.N, s.H, parts}).set("inverse", inverse).set("onesided", onesided);
  };
  CHECK(dft(0, 0, 1).text() == "float32[N, H, 2]");
  CHECK(dft(0, 1, 1).type().shape->at(1) == floor_div(s.H, 2) + 1);
  CHECK(dft(1, 0, 2).text() == "float32[N, H, 2]");
  CHECK(dft(1, 1, 2).type().shape->at(1) == (s.H - 1) * 2);
  CHECK(dft(1, 1, 2).type().shape->at(2).is_constant(1));
  CHECK(dft(0, 1, 1).scalar(9).text() == "float32[N, 5, 2]");
  CHECK(dft(1, 1, 2).scalar(9).text() == "float32[N, 9, 1]");
  CHECK(dft(0, 0, 1).scalar(s.W, DType::int32).scalar(0).text() == "float32[W, H, 2]");
  CHECK(dft(0, 0, 1).absent().scalar(-3).text() == "float32[N, H, 2]");
  const auto open_length = dft(0, 0, 1).in({}, DType::int64).run();
  CHECK(open_length.wanted == std::vector<size_t>{1});
  CHECK(open_length.dim(0, 0) == s.N);
  const auto open_axis = dft(0, 0, 1).scalar(4).in({}, DType::int64).run();
  CHECK(open_axis.wanted == std::vector<size_t>{2});
  CHECK(open_axis.unknowns == 3);  // the last dim is 2 all the same
  CHECK(open_axis.dim(0, 2).is_constant(2));
  CHECK(s.op("DFT").rankless().text() == "float32[?]");
  CHECK(s.op("DFT").in({s.N, s.H, s.W}).run().conditions.size() == 1);  // W is 1 or 2
  CHECK(mentions(dft(0, 0, 3).error(), {"last dim of input 0", "is 3, expected 1 (real) or 2 (complex)"}));
  CHECK(mentions(dft(0, 1, 2).error(), {"onesided", "is 2, expected 1"}));
  CHECK(mentions(dft(1, 1, 1).error(), {"onesided", "is 1, expected 2"}));
  CHECK(mentions(dft(0, 0, 1).scalar(0).error(), {"dft_length is 0, expected at least 1"}));
  CHECK(mentions(dft(0, 0, 1).absent().scalar(2).error(), {"axis 2", "the last one"}));
  CHECK(mentions(dft(0, 0, 1).absent().scalar(-1).error(), {"axis -1", "the last one"}));
  CHECK(mentions(dft(0, 0, 1).absent().scalar(3).error(), {"3"}));
  CHECK(mentions(s.op("DFT").in({4}).error(), {"rank 1, expected rank at least 2"}));
}

TEST_CASE("STFT counts frames", "[ops][CR-2]") {
  Symbols s;
  const auto stft = [&](Term length) { return s.op("STFT").in({s.N, length, 1}); };
  CHECK(stft(128).scalar(8).absent().scalar(16).text() == "float32[N, 15, 9, 2]");
  CHECK(stft(128).scalar(8).in({16}).set("onesided", int64_t{0}).text() == "float32[N, 15, 16, 2]");
  CHECK(stft(7).scalar(1).text() == "float32[N, 1, 4, 2]");
  const auto symbolic = stft(s.H).scalar(8).absent().scalar(16).run();
  CHECK(symbolic.dim(0, 1) == floor_div(s.H - 16, 8) + 1);
  CHECK(symbolic.conditions.size() == 1);  // a frame fits
  const auto open = stft(128).in({}, DType::int64).absent().in({}, DType::int64).run();
  CHECK(open.wanted == std::vector<size_t>{1, 3});
  CHECK(open.unknowns == 2);
  CHECK(s.op("STFT").rankless().scalar(8).absent().scalar(16).run().dim(0, 2).is_constant(9));
  CHECK(mentions(stft(10).scalar(1).absent().scalar(11).error(), {"the signal has 10 samples", "the 11 of a frame"}));
  CHECK(mentions(stft(10).scalar(0).error(), {"frame_step is 0"}));
  CHECK(mentions(stft(10).scalar(1).absent().scalar(0).error(), {"frame_length is 0"}));
  CHECK(mentions(stft(10).scalar(1).in({4}).scalar(5).error(), {"input 2 (window)", "is 4, expected 5"}));
  CHECK(mentions(stft(10).scalar(1).in({2, 2}).error(), {"input 2 (window)", "rank 2, expected rank 1"}));
  CHECK(mentions(s.op("STFT").in({1, 8, 3}).scalar(1).error(), {"is 3, expected 1 (real) or 2 (complex)"}));
}

TEST_CASE("MelWeightMatrix is as large as its inputs say", "[ops][CR-2]") {
  Symbols s;
  const auto mel = [&] { return s.op("MelWeightMatrix").scalar(8).scalar(s.W); };
  CHECK(mel().scalar(16).in({}).in({}).run().dim(0, 0) == floor_div(s.W, 2) + 1);
  CHECK(s.op("MelWeightMatrix").scalar(8).scalar(17).scalar(1).in({}).in({}).set("output_datatype", int64_t{11}).text() == "float64[9, 8]");
  CHECK(mentions(s.op("MelWeightMatrix").scalar(-1).scalar(17).scalar(1).in({}).in({}).error(), {"num_mel_bins is -1"}));
  CHECK(mentions(mel().scalar(16).in({}).in({}).set("output_datatype", int64_t{8}).error(), {"output 0", "string"}));
  CHECK(mel().scalar(16).in({1}).in({1}).run().dim(0, 0) == floor_div(s.W, 2) + 1);
  CHECK(mentions(mel().scalar(16).in({0}).in({}).error(), {"the dim of input 3", "is 0, expected 1"}));
  CHECK(mentions(mel().scalar(16).in({}).in({2}).error(), {"the dim of input 4", "is 2, expected 1"}));
}

TEST_CASE("random tensors have the dims asked for", "[ops][CR-2]") {
  Symbols s;
  const std::vector<int64_t> dims{2, 3};
  for (const char* op : {"RandomNormal", "RandomUniform"}) {
    CHECK(s.op(op).ints("shape", dims).text() == "float32[2, 3]");
    CHECK(s.op(op).ints("shape", {}).set("dtype", int64_t{10}).text() == "float16[]");
    CHECK(mentions(s.op(op).error(), {"'shape'", "missing"}));
    CHECK(mentions(s.op(op).ints("shape", {2, -1}).error(), {"'shape' has the value -1"}));
    CHECK(mentions(s.op(op).ints("shape", dims).set("dtype", int64_t{7}).error(), {"output 0", "int64"}));
  }
  for (const char* op : {"RandomNormalLike", "RandomUniformLike"}) {
    CHECK(s.op(op).in({s.N, 4}, DType::float64).text() == "float64[N, 4]");
    CHECK(s.op(op).in({s.N, 4}, DType::string).set("dtype", int64_t{1}).text() == "float32[N, 4]");
    CHECK(s.op(op).rankless().text() == "float32[?]");
    CHECK(mentions(s.op(op).in({s.N, 4}, DType::int64).error(), {"output 0", "int64"}));
  }
  CHECK(s.op("Bernoulli").in({s.N}).set("dtype", int64_t{9}).text() == "bool[N]");
  CHECK(s.op("Bernoulli").in({s.N}, DType::float16).text() == "float16[N]");
  CHECK(s.op("Multinomial").in({s.N, 5}).set("sample_size", int64_t{7}).text() == "int32[N, 7]");
  CHECK(s.op("Multinomial").rankless().set("dtype", int64_t{7}).run().dim(0, 1).is_constant(1));
  CHECK(mentions(s.op("Multinomial").in({s.N, 5}).set("sample_size", int64_t{-1}).error(), {"'sample_size' is -1"}));
  CHECK(mentions(s.op("RandomNormal").ints("shape", dims).set("scale", -1.0f).error(), {"'scale'", "at least 0"}));
  CHECK(mentions(s.op("RandomNormal").ints("shape", dims).set("mean", INFINITY).error(), {"'mean'", "finite"}));
  CHECK(mentions(s.op("RandomUniform").ints("shape", dims).set("low", 2.0f).error(), {"'low'", "'high'"}));
  for (const char* op : {"RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Bernoulli", "Multinomial", "Dropout"})
    CHECK_FALSE(find_schema("", op)->deterministic);
}

TEST_CASE("string ops", "[ops][CR-2]") {
  Symbols s;
  const auto string_op = [&](const char* op, Terms dims) { return s.op(op).in(dims, DType::string); };
  CHECK(string_op("StringConcat", {s.N, 1}).in({3}, DType::string).text() == "string[N, 3]");
  CHECK(mentions(string_op("StringConcat", {1}).in({3}).error(), {"input 1 (Y) is float32"}));
  CHECK(string_op("RegexFullMatch", {s.N, 1}).text() == "bool[N, 1]");
  CHECK(string_op("StringNormalizer", {s.H}).text() == "string[H]");
  CHECK(string_op("StringNormalizer", {0}).text() == "string[1]");
  CHECK(string_op("StringNormalizer", {s.N, 5}).run().conditions.size() == 1);
  CHECK(string_op("StringNormalizer", {1, 5}).set("stopwords", Texts{"a"}).run().unknowns == 1);
  CHECK(s.op("StringNormalizer").rankless(DType::string).text() == "string[?]");
  CHECK(mentions(string_op("StringNormalizer", {2, 5}).error(), {"dim 0 of X", "is 2, expected 1"}));
  CHECK(mentions(string_op("StringNormalizer", {}).error(), {"rank 0, expected rank 1 to 2"}));
  CHECK(mentions(string_op("StringNormalizer", {1}).set("case_change_action", std::string("Upper")).error(), {"'Upper'", "NONE, LOWER, UPPER"}));
  const auto split = string_op("StringSplit", {s.N, 2}).run(2);
  CHECK(split[1] == "int64[N, 2]");
  CHECK(split.types[0].rank() == 3);
  CHECK(split.unknowns == 1);
  CHECK(string_op("StringSplit", {0, 2}).run(2)[0] == "string[0, 2, 0]");
  CHECK(s.op("StringSplit").rankless(DType::string).run(2)[1] == "int64[?]");
}

TEST_CASE("TfIdfVectorizer checks its pool", "[ops][CR-2]") {
  Symbols s;
  const auto vectorizer = [&](DType dtype = DType::int64) {
    return s.op("TfIdfVectorizer")
        .in({s.N, 9}, dtype)
        .set("mode", std::string("TF"))
        .set("min_gram_length", int64_t{1})
        .set("max_gram_length", int64_t{2})
        .set("max_skip_count", int64_t{0})
        .ints("ngram_counts", {0, 1})
        .ints("ngram_indexes", {0, 6})
        .ints("pool_int64s", {4, 5, 6});
  };
  CHECK(vectorizer().text() == "float32[N, 7]");
  CHECK(vectorizer(DType::int32).text() == "float32[N, 7]");
  CHECK(mentions(vectorizer(DType::string).error(), {"input 0 (X) is string", "integers"}));
  CHECK(mentions(vectorizer().set("pool_strings", Texts{"a"}).error(), {"found both"}));
  CHECK(mentions(vectorizer().ints("pool_int64s", {}).error(), {"found none"}));
  CHECK(mentions(vectorizer().ints("ngram_counts", {0, 2}).error(), {"1 items to 2-grams"}));
  CHECK(mentions(vectorizer().ints("ngram_counts", {0, 4}).error(), {"'ngram_counts'", "4"}));
  CHECK(mentions(vectorizer().ints("ngram_counts", {2, 1}).error(), {"'ngram_counts'", "increasing"}));
  CHECK(mentions(vectorizer().ints("ngram_counts", {-1}).error(), {"'ngram_counts'", "-1"}));
  CHECK(mentions(vectorizer().ints("ngram_indexes", {0}).error(), {"'ngram_indexes' has 1 values", "2 n-grams"}));
  CHECK(mentions(vectorizer().ints("ngram_indexes", {0, -1}).error(), {"'ngram_indexes'", "-1"}));
  CHECK(mentions(vectorizer().ints("ngram_indexes", {}).error(), {"'ngram_indexes' is empty"}));
  CHECK(mentions(vectorizer().set("min_gram_length", int64_t{3}).error(), {"3 and 2"}));
  CHECK(mentions(vectorizer().set("max_skip_count", int64_t{-1}).error(), {"'max_skip_count' is -1"}));
  CHECK(mentions(vectorizer().set("mode", std::string("IDF")).set("weights", std::vector<float>{1, 2}).error(), {"'weights' has 2", "7 columns"}));
  CHECK(mentions(vectorizer().set("mode", std::string("x")).error(), {"'x'", "TF, IDF, TFIDF"}));
}
