# SPDX-License-Identifier: MIT
"""Builds the extension module against the limited API of Python, so that one wheel serves Python
3.11 and all later versions. Needs no network.

  PAWL_BUILD=DIR    a CMake build of Pawl whose library is taken; else it is built here
  PAWL_SHARED=1     the shared library of it; else the static one becomes part of the module
"""
import glob
import os
import re
import shlex
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

try:
    from wheel.bdist_wheel import bdist_wheel
except ImportError:  # newer setuptools brings its own
    from setuptools.command.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


def version():
    with open(os.path.join(ROOT, "CMakeLists.txt")) as file:
        return re.search(r"project\(pawl VERSION ([0-9.]+)", file.read()).group(1)


class BuildWithPawl(build_ext):
    def core(self):
        """The folder of a build of the library."""
        given = os.environ.get("PAWL_BUILD")
        if given:
            return os.path.abspath(given)
        folder = os.path.abspath(os.path.join(self.build_temp, "core"))
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
                        "-DPAWL_HDF5=OFF", "-DPAWL_MPI=OFF", "-DPAWL_INSTALL=OFF"], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "pawl_static", "--parallel",
                        str(os.cpu_count() or 1)], check=True)
        return folder

    def build_extension(self, ext):
        folder = self.core()
        ext.include_dirs = [os.path.join(ROOT, "include"), os.path.join(folder, "include")]
        if os.environ.get("PAWL_SHARED"):
            ext.library_dirs, ext.libraries = [folder], ["pawl"]
        else:
            ext.extra_objects = [os.path.join(folder, "libpawl.a")]
            ext.extra_link_args += self.private_libraries(folder)
        super().build_extension(ext)

    @staticmethod
    def private_libraries(folder):
        """What the static library needs itself."""
        path = os.path.join(folder, "pawl.pc")
        if not os.path.exists(path):  # built above: zlib is taken where it is
            with open(os.path.join(folder, "CMakeCache.txt")) as cache:
                found = re.search(r"^ZLIB_LIBRARY_RELEASE:FILEPATH=(.*)$", cache.read(), re.M)
            return ["-lm"] + (["-lz"] if found and "NOTFOUND" not in found.group(1) else [])
        with open(path) as file:
            return shlex.split(re.search(r"^Libs.private:(.*)$", file.read(), re.M).group(1))


class LimitedWheel(bdist_wheel):
    def finalize_options(self):
        self.py_limited_api = "cp311"
        super().finalize_options()


setup(
    version=version(),
    ext_modules=[Extension(
        "pawl._pawl",
        sources=sorted(glob.glob("src/*.c")),
        depends=sorted(glob.glob("src/*.h")),
        define_macros=[("Py_LIMITED_API", "0x030B0000"), ("_POSIX_C_SOURCE", "200809L")],
        extra_compile_args=["-std=c17", "-Wall", "-Wextra", "-Wshadow", "-fvisibility=hidden"],
        py_limited_api=True)],
    cmdclass={"build_ext": BuildWithPawl, "bdist_wheel": LimitedWheel})
