#include "conformance/workers.hpp"

#include "conformance/answer_lines.hpp"
#include "ge/base/error.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ge::conformance {
namespace {

using Clock = std::chrono::steady_clock;

/// A child process with its standard input and output.
class Worker {
 public:
  explicit Worker(const std::vector<std::string>& command) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0) fail();
    if (::pipe2(out, O_CLOEXEC) != 0) fail();
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ < 0) fail();
    if (pid_ == 0) {
      ::dup2(in[0], 0);
      ::dup2(out[1], 1);
      ::execvp(arguments[0], arguments.data());
      ::_exit(127);
    }
    ::close(in[0]), ::close(out[1]);
    to_ = in[1], from_ = out[0];
  }
  ~Worker() {
    ::close(to_), ::close(from_);
    if (!ended_) {
      ::kill(pid_, SIGKILL);
      end();
    }
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// A worker that is gone already is seen when its answer is read.
  void ask(size_t request, const std::string& line, double limit_s) {
    request_ = request;
    busy_ = true;
    text_.clear();
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit_s));
    const std::string text = line + "\n";
    for (size_t done = 0; done < text.size();) {
      const ssize_t n = ::write(to_, text.data() + done, text.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return;
      done += static_cast<size_t>(n);
    }
  }

  /// Takes what can be read; true when the answer is complete or will never be.
  bool read(Answer& answer) {
    char buffer[4096];
    const ssize_t n = ::read(from_, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) return false;
    if (n <= 0) {
      const int status = end();
      answer.fields = {WIFSIGNALED(status) ? "crashed: " + std::string(strsignal(WTERMSIG(status))) : "ended with exit code " + std::to_string(WEXITSTATUS(status))};
      return true;
    }
    text_.append(buffer, static_cast<size_t>(n));
    if (text_.back() != '\n') return false;
    text_.pop_back();
    answer = {true, from_line(text_)};
    busy_ = false;
    return true;
  }

  bool busy() const { return busy_; }
  bool ended() const { return ended_; }
  bool late() const { return Clock::now() > deadline_; }
  size_t request() const { return request_; }
  int descriptor() const { return from_; }

 private:
  [[noreturn]] static void fail() { throw Error(ErrorCode::io, "cannot start a worker process: " + std::string(std::strerror(errno))); }
  int end() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
    ended_ = true, busy_ = false;
    return status;
  }

  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
  bool busy_ = false, ended_ = false;
  size_t request_ = 0;
  Clock::time_point deadline_;
  std::string text_;
};

}  // namespace

std::vector<Answer> ask_workers(const std::vector<std::string>& command, unsigned count, double limit_s, const std::vector<std::vector<std::string>>& requests) {
  std::signal(SIGPIPE, SIG_IGN);
  std::vector<Answer> answers(requests.size());
  std::vector<std::unique_ptr<Worker>> workers(std::min<size_t>(std::max(count, 1u), requests.size()));
  size_t next = 0;
  for (;;) {
    std::vector<pollfd> waiting;
    std::vector<std::unique_ptr<Worker>*> owners;
    for (auto& worker : workers) {
      if (worker && worker->busy() && worker->late()) {
        answers[worker->request()].fields = {"took longer than " + std::to_string(static_cast<int>(limit_s)) + " s"};
        worker.reset();
      }
      if (worker && worker->ended()) worker.reset();
      if ((!worker || !worker->busy()) && next < requests.size()) {
        if (!worker) worker = std::make_unique<Worker>(command);
        worker->ask(next, to_line(requests[next]), limit_s);
        ++next;
      }
      if (!worker || !worker->busy()) continue;
      waiting.push_back({worker->descriptor(), POLLIN, 0});
      owners.push_back(&worker);
    }
    if (waiting.empty()) return answers;
    if (::poll(waiting.data(), waiting.size(), 200) <= 0) continue;
    for (size_t i = 0; i < waiting.size(); ++i)
      if (waiting[i].revents != 0) (*owners[i])->read(answers[(*owners[i])->request()]);
  }
}

}  // namespace ge::conformance
