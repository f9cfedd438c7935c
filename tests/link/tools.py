"""Compilers and other programs that the matrix uses where they are there."""
import shutil


def present(program):
    return shutil.which(program) is not None


def cached(compiler):
    """The compiler as a command, through ccache where that is there."""
    return ["ccache", compiler] if present("ccache") else [compiler]
