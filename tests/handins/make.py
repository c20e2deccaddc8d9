#!/usr/bin/env python3
"""Makes a folder of 40 hand-ins as course web sites give them: real archives, six languages, and all that goes wrong.

    make.py FOLDER          makes FOLDER, and prints what should come of each hand-in as JSON: {name: [result, words]}
    make.py FOLDER change   changes three of the hand-ins in it

`result` is one of built, warnings, failed, nothing, refused; `words` must stand in its reason. Hand-ins that are built and do
not play say so with `built` and the words of their test.
"""
import io
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
expected = {}


def program(name):
    with open(os.path.join(HERE, name), "rb") as file:
        return file.read()


def add_to_zip(archive, name, data, mode=0o644):
    info = zipfile.ZipInfo(name, (2026, 11, 2, 12, 0, 0))
    info.external_attr = (0o100000 | mode) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, data)


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            add_to_zip(archive, name, data)
    return out.getvalue()


def tarred(files, mode):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(data), 1793620800
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def by_tool(command, files, ending):
    """An archive that a tool of the system makes."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            path = os.path.join(folder, "in", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)
        archive = os.path.join(folder, "out" + ending)
        subprocess.run(command + [archive, "."], cwd=os.path.join(folder, "in"), check=True, stdout=subprocess.DEVNULL)
        with open(archive, "rb") as file:
            return file.read()


def locked(archive):
    """The archive with the mark of a password at every file."""
    data = bytearray(archive)
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + flags] |= 1
            at = data.find(mark, at + 4)
    return bytes(data)


def bomb():
    """A zip of some megabytes that says, and is, ten gigabytes."""
    times, piece = 10 << 10, bytes(1 << 20)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    data = packed * times + zlib.compressobj(9, zlib.DEFLATED, -15).flush()
    sizes, name = struct.pack("<QQ", times << 20, len(data)), b"zeros"
    extra = struct.pack("<HH", 1, len(sizes)) + sizes
    fields = struct.pack("<HHHHHIIIHH", 45, 0, 8, 0, 0x5c21, 0, 0xffffffff, 0xffffffff, len(name), len(extra))
    local = b"PK\x03\x04" + fields + name + extra + data
    fields = struct.pack("<HHHHHHIIIHHHHHII", 45, 45, 0, 8, 0, 0x5c21, 0, 0xffffffff, 0xffffffff, len(name), len(extra), 0, 0, 0, 0, 0)
    central = b"PK\x01\x02" + fields + name + extra
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)
    return local + central + end


def linked():
    """A tar whose link leads out, and a file that is written through it."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        link = tarfile.TarInfo("out")
        link.type, link.linkname = tarfile.SYMTYPE, "/tmp"
        archive.addfile(link)
        info = tarfile.TarInfo("out/arbitro-was-here")
        info.size = 2
        archive.addfile(info, io.BytesIO(b"x\n"))
    return out.getvalue()


def moodle(name, number, files):
    """A student's folder in the archive that Moodle gives."""
    return {f"{name}_{number}_assignsubmission_file_/{file}": data for file, data in files.items()}


def renamed(source):
    """The same program with other names, in another order and layout."""
    text = source.decode()
    for old, new in [("used", "ocupado"), ("inside", "dentro"), ("answer", "responde"), ("step", "passo"), ("turn", "giro"),
                     ("half", "metade"), ("SIDE", "LADO"), ("dr", "vl"), ("dc", "vc")]:
        text = re.sub(rf"\b{old}\b", new, text)
    lines = [line.strip() for line in text.splitlines() if not line.strip().startswith("/*")]
    return ("// EP5\n" + "\n".join("\t" + line for line in lines)).replace("{", "\n{\n").encode()


MAKEFILE = b"CFLAGS = -O2 -Wall\n\nhex: ladder.o steps.o\n\tcc -o hex ladder.o steps.o\n\nclean:\n\trm -f *.o hex\n"
CARGO = b'[package]\nname = "frontier"\nversion = "0.1.0"\nedition = "2021"\n'
CMAKE = b"cmake_minimum_required(VERSION 3.10)\nproject(flood CXX)\nset(CMAKE_CXX_STANDARD 17)\nadd_executable(flood flood.cpp)\n"
PDF = b"%PDF-1.4\n1 0 obj\n<< >>\nendobj\n%%EOF\n"
WARNED = program("dice.c").replace(b"int main(int argc", b"static int forgotten;\nint main(int argc")


def handins():
    """Every hand-in: its name, what should come of it, and its files."""
    ladder = {"ladder.c": program("ladder.c"), "ladder.h": program("ladder.h"), "steps.c": program("steps.c")}
    package = {f"ep5/{name}": program(f"{file}.py") for name, file in
               [("main.py", "main_of_package"), ("tabuleiro.py", "tabuleiro"), ("estrategia.py", "estrategia")]}
    yield "Ana Silva", "built", "", moodle("Ana Silva", 12345, {"ep5.zip": zipped({**{f"ep5/{k}": v for k, v in ladder.items()}, "ep5/Makefile": MAKEFILE})})
    yield "Beatriz Nuñez", "built", "", moodle("Beatriz Nuñez", 12346, {"flood.tar.gz": tarred({"flood/flood.cpp": program("flood.cpp").replace(b"    int unused;\n", b""), "flood/CMakeLists.txt": CMAKE}, "w:gz")})
    yield "João D'Ávila", "built", "", {"João D'Ávila_12347_assignsubmission_file_neighbours.py": program("neighbours.py")}
    yield "Carla Souza", "built", "", moodle("Carla Souza", 12348, {"entrega.zip": zipped({"entrega/ep5.zip": zipped({"src/spiral.c": program("spiral.c")}), "entrega/relatorio.pdf": PDF})})
    yield "Daniel Rocha", "built", "", {"Daniel Rocha.zip": zipped({"ep/hex/Corner.java": program("Corner.java"), "__MACOSX/ep/hex/._Corner.java": b"\0", "ep/.DS_Store": b"\0"})}
    yield "Érica Lima", "built", "", {"Érica Lima.zip": zipped({"src/br/usp/hex/Zigzag.java": program("Zigzag.java"), ".git/config": b"[core]\n"})}
    yield "Fábio Alves", "built", "", {"Fábio Alves/package.json": b'{"name": "hex", "version": "1.0.0", "main": "lib/stream.js"}\n', "Fábio Alves/lib/stream.js": program("stream.js")}
    yield "Gil", "built", "", {"Gil.js": program("checker.js")}
    yield "Helena Prado", "built", "", {"Helena Prado.tgz": tarred({"frontier/Cargo.toml": CARGO, "frontier/src/main.rs": program("frontier.rs")}, "w:gz")}
    yield "Igor", "built", "", {"Igor/main.rs": program("primes.rs")}
    yield "Joana Ferraz", "built", "", {"Joana Ferraz.zip": zipped(package)}
    yield "Kátia", "built", "", {"Kátia/mirror.py": b"\xef\xbb\xbf" + program("mirror.py").replace(b"\n", b"\r\n")}
    yield "Luís 林", "built", "", {"Luís 林/bridge.cpp": program("bridge.cpp")}
    yield "Marta", "warnings", "", {"Marta/dice.c": WARNED, "Marta/Makefile": b"dice: dice.c\n\tcc -Wall -O2 dice.c -o dice\n"}
    yield "Nina (two mains)", "built", "", {"Nina (two mains)/a.py": program("rings.py"), "Nina (two mains)/old/b.py": b"print('old')\n"}
    yield "Olga", "failed", "line 3", {"Olga.c": b"#include <stdio.h>\nint main(void) {\n    printf(\"0 0\\n\")\n    return 0;\n}\n"}
    yield "Paulo", "failed", "Bot.java line 3", {"Paulo/Bot.java": b"public class Bot {\n    public static void main(String[] a) {\n        int x = \"zero\";\n    }\n}\n"}
    yield "Quim", "failed", "line 2", {"Quim/main.py": b"import sys\nif sys.argv[1] == 'b' print(0, 0)\n"}
    yield "Rita", "nothing", "", {"Rita/relatorio.pdf": PDF}
    yield "Sara", "nothing", "", {"Sara/": None}
    yield "Tiago", "nothing", "", {"Tiago.zip": zipped({})}
    yield "Ugo", "refused", "", {"Ugo.zip": zipped(ladder)[:700]}
    yield "Vera", "refused", "password", {"Vera.zip": locked(zipped(ladder))}
    yield "Wagner", "built", "", {"Wagner.tar.xz": by_tool(["tar", "-cJf"], {"w/wall.py": program("wall.py")}, ".tar.xz")}
    yield "Xênia", "refused", "..", {"Xênia.zip": zipped({"../../evil.py": b"print(1)\n", "main.py": b"print(1)\n"})}
    yield "Yuri", "refused", "", {"Yuri.tar.gz": linked()}
    yield "Zoé", "refused", "", {"Zoé.zip": bomb()}
    yield "submission_2001", "failed", "", {"submission_2001/Makefile": b"all:\n\tsleep 1000000\n", "submission_2001/x.txt": b"x\n"}
    yield "submission_2002", "failed", "", {"submission_2002/Makefile": b"all:\n\t@sh -c 'f() { f | f & }; f'; while :; do sleep 1; done\n"}
    yield "submission_2003", "failed", "", {"submission_2003/Makefile": b"all:\n\tcat /etc/shadow $(HOME)/.ssh/id_rsa; ls /home/*/* /root/* && touch stolen && false\n\tfalse\n"}
    yield "submission_2004", "failed", "", {"submission_2004/Makefile": b"all:\n\tdd if=/dev/zero of=big bs=1M\n"}
    yield "submission_2005", "failed", "download", {"submission_2005/Cargo.toml": CARGO + b'[dependencies]\nrand = "0.8"\n', "submission_2005/src/main.rs": b"fn main() { println!(\"{}\", rand::random::<u8>()); }\n"}
    yield "Ana Silva-2", "built", "", {"Ana Silva_99999_assignsubmission_file_/spiral.c": renamed(program("spiral.c"))}
    yield "Bia", "built", "off the board", {"Bia/bot.sh": b"#!/bin/sh\nwhile :; do echo 99 99; read line || exit; done\n"}
    yield "Caio", "built", "", {"Caio/hex.py": b"import sys\nsys.exit('no such file: opening book')\n"}
    yield "Duda", "nothing", "", {"Duda/leia-me.txt": b"professor, esqueci o programa\n"}
    yield "Enzo", "built", "", {"Enzo/Bot.class": None}
    yield "Flávia", "built", "", {"Flávia/hex": None}
    yield "Gabi", "failed", "", {"Gabi/Makefile": b"hex: hex.c missing.h\n\tcc -o hex hex.c\n", "Gabi/hex.c": b"#include \"missing.h\"\nint main(void) { return 0; }\n"}
    yield "Hugo", "built", "", {"Hugo.7z": None}


def main():
    folder = sys.argv[1]
    if sys.argv[2:] == ["change"]:
        with open(os.path.join(folder, "Gil.js"), "ab") as file:
            file.write(b"// better\n")
        with open(os.path.join(folder, "Olga.c"), "wb") as file:
            file.write(program("dice.c").replace(b"6364136223846793005", b"2862933555777941757"))
        path = os.path.join(folder, "Joana Ferraz.zip")
        with zipfile.ZipFile(path, "a") as archive:
            add_to_zip(archive, "ep5/leia-me.txt", b"agora vai\n")
        return
    os.makedirs(folder)
    for name, result, words, files in handins():
        special = {"Enzo/Bot.class": enzo, "Flávia/hex": flavia, "Hugo.7z": hugo}
        there = False
        for path, data in files.items():
            place = os.path.join(folder, path)
            if path.endswith("/"):
                os.makedirs(place)
                there = True
                continue
            os.makedirs(os.path.dirname(place), exist_ok=True)
            if data is None and path in special:
                data = special[path]()
            if data is not None:
                there = True
                with open(place, "wb") as file:
                    file.write(data)
            if path == "Flávia/hex" and data is not None:
                os.chmod(place, 0o755)
        if there:
            expected[name] = [result, words]
        else:
            shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
    print(json.dumps(expected, ensure_ascii=False, indent=1))


def compiled(command, source, made):
    if shutil.which(command[0]) is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        for name, data in source.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
        subprocess.run(command, cwd=folder, check=True)
        with open(os.path.join(folder, made), "rb") as file:
            return file.read()


def enzo():
    """A class without its source."""
    source = b"public class Bot { public static void main(String[] a) { java.util.Scanner s = new java.util.Scanner(System.in); int k = 0;" \
             b" boolean[] t = new boolean[196]; if (a[0].equals(\"b\")) { t[0] = true; System.out.println(\"0 0\"); } while (s.hasNextInt()) {" \
             b" t[s.nextInt() * 14 + s.nextInt()] = true; while (k < 196 && t[k]) k++; if (k == 196) return; t[k] = true;" \
             b" System.out.println(k / 14 + \" \" + k % 14); } } }"
    return compiled(["javac", "Bot.java"], {"Bot.java": source}, "Bot.class")


def flavia():
    """A program without its source."""
    return compiled(["cc", "-O2", "-o", "hex", "hex.c"], {"hex.c": program("spiral.c")}, "hex")


def hugo():
    """An archive that only an outside tool opens."""
    tool = next((tool for tool in ("7z", "7za", "7zz") if shutil.which(tool)), None)
    files = {"hugo/go.mod": b"module hex\n\ngo 1.18\n", "hugo/main.go": program("gap.go")}
    return by_tool([tool, "a", "-bd"], files, ".7z") if tool and shutil.which("go") else None


main()
