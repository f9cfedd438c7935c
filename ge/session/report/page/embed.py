#!/usr/bin/env python3
"""Puts style and scripts into the page's template and writes what stands before and behind the data as C++ bytes.

usage: embed.py OUTPUT.cpp PAGE.html STYLE.css SCRIPT.js...

In the template, /*STYLE*/ and /*SCRIPT*/ are replaced by the files, and the page is cut in two at DATA.
"""
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def replace_once(text, mark, by):
    if text.count(mark) != 1:
        sys.exit(f"embed.py: the template must have {mark} once, it has it {text.count(mark)} times")
    before, after = text.split(mark)
    return before + by + after


def array(name, data):
    lines = [", ".join(str(byte) for byte in data[at:at + 32]) for at in range(0, len(data), 32)]
    return f"extern const unsigned char {name}[];\nextern const size_t {name}_bytes;\n" \
           f"const unsigned char {name}[] = {{\n" + ",\n".join(lines) + f"}};\nconst size_t {name}_bytes = sizeof {name};\n"


def main(output, template, style, *scripts):
    page = read(template)
    head, tail = page.split("DATA") if page.count("DATA") == 1 else sys.exit("embed.py: the template must have DATA once")
    head = replace_once(head, "/*STYLE*/", read(style))
    tail = replace_once(tail, "/*SCRIPT*/", "\n".join(read(script) for script in scripts))
    with open(output, "w", encoding="utf-8") as file:
        file.write("// Made by embed.py; change the files in ge/session/report/page instead.\n#include <cstddef>\n\nnamespace ge {\n")
        file.write(array("report_page_head", head.encode()))
        file.write(array("report_page_tail", tail.encode()))
        file.write("}  // namespace ge\n")


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
