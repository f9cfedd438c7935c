#include "ge/session/report/report.hpp"

namespace ge {

// Made by page/embed.py from the files in page/: all of the page before the data, and all behind it.
extern const unsigned char report_page_head[], report_page_tail[];
extern const size_t report_page_head_bytes, report_page_tail_bytes;

std::string report_page(const CompileReport& report) {
  std::string page(reinterpret_cast<const char*>(report_page_head), report_page_head_bytes);
  page += to_json(report);
  page.append(reinterpret_cast<const char*>(report_page_tail), report_page_tail_bytes);
  return page;
}

}  // namespace ge
