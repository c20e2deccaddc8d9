#!/usr/bin/env python3
"""Makes archives that nobody should unpack, and some odd ones that everybody should be able to: hostile.py FOLDER"""
import base64
import gzip
import io
import os
import random
import struct
import sys
import tarfile
import unicodedata
import zipfile
import zlib

FOLDER = sys.argv[1]


def write(name, data):
    with open(os.path.join(FOLDER, name), "wb") as file:
        file.write(data)


def zipped(entries, method=zipfile.ZIP_DEFLATED):
    """A zip of (name, data, mode)."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data, *mode in entries:
            info = zipfile.ZipInfo("x", (2025, 3, 2, 12, 0, 0))
            info.filename = name
            info.create_system = 3
            info.external_attr = (mode[0] if mode else 0o100644) << 16
            info.compress_type = method
            archive.writestr(info, data)
    return out.getvalue()


def tarred(entries, mode="w", **options):
    """A tar of (name, data, fields)."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, **options) as archive:
        for name, data, *fields in entries:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            for key, value in (fields[0] if fields else {}).items():
                setattr(info, key, value)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def with_checksum(header):
    """A tar header with the right sum."""
    header = bytearray(header)
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header)


def zeros(megabytes):
    """So many megabytes of zeros, deflated, in an instant."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return packed * megabytes + zlib.compressobj(9, zlib.DEFLATED, -15).flush()


def zip_of(name, data, length, crc=0):
    """A zip of one file, of which nothing is checked."""
    sizes = struct.pack("<QQ", length, len(data))
    extra = struct.pack("<HH", 1, len(sizes)) + sizes
    fields = struct.pack("<HHHHHIIIHH", 45, 0, 8, 0, 0x5C21, crc, 0xFFFFFFFF, 0xFFFFFFFF, len(name), len(extra))
    local = b"PK\x03\x04" + fields + name + extra + data
    fields = struct.pack("<HHHHHHIIIHHHHHII", 45, 45, 0, 8, 0, 0x5C21, crc, 0xFFFFFFFF, 0xFFFFFFFF, len(name), len(extra), 0, 0, 0, 0, 0)
    central = b"PK\x01\x02" + fields + name + extra
    return local + central + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)


def gzip_of(start, megabytes):
    """A gzip stream of some bytes and so many megabytes of zeros, with a wrong checksum at its end."""
    head = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = head.compress(start) + head.flush(zlib.Z_FULL_FLUSH) + zeros(megabytes)
    return b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + data + bytes(8)


def overlapping():
    """Many entries of one file's data."""
    single = zipped([("0", bytes(1 << 20))])
    end = single.rindex(b"PK\x05\x06")
    start = single.index(b"PK\x01\x02")
    central, count = single[start:end], 400
    table = b"".join(central[:46] + b"%d" % (index % 10) + central[47:] for index in range(count))
    return single[:start] + table + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, count, count, len(table), start, 0)


def locked(archive):
    data = bytearray(archive)
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + flags] |= 1
            at = data.find(mark, at + 4)
    return bytes(data)


def nested(depth):
    data = zipped([("readme.pdf", b"x")])
    for level in range(depth):
        data = zipped([(f"{level}.zip", data)])
    return data


# Russ Cox's zip that holds itself (research.swtch.com/zip), so that there is no end of opening it.
QUINE = base64.b85decode(
    "P)h>@6aWAK2mlBJWIXxwiDXCt006iF000L70043?axQvlZ~!F$+W$~X0|XQR000O82m@q1`SgioNC5x<xB&nF2LJ#7axZc&dTDR~F96X003`t0"
    "|4>T<1QY-O00;mG17tk;^oe9h0RRBF0RR980001TFLEw=X>b590MP%!RE}3U00jX0|H4#`S2+L$0Q&y`1pxa002Bc0|H4#`S2+L$0Q&y`1pxa0"
    "02Bc0|3Zi%!~g&k0PFukh#|xP02Bc0|3Zi%!~g&k0PFukh#|xP02Bc0|3Zi%!~g&Q0RR600096005ky0|3Zi%!~g&Q0RR600096005ky0|3c^?"
    "UJn2O0RR6A@MdHZVZasK=%7fyNUtihAi$fI4a8>zLQ@6?20#D?0QvuI0RR9107B>?UJn2O0RR6A@MdHZVZasK=%7fyNUtihAi$fI4a8>zLQ@6?"
    "20#D?0QvuI0RR9108mQ-0u%rg0000800;wQJo)sAWJm!30Js4F00#g70000000000000000001TFLEw=X>d?W1qJ{B000310RS}s003<P00000")


def huge_tar(digits):
    header = bytearray(tarfile.TarInfo("huge").tobuf(tarfile.GNU_FORMAT))
    header[124:136] = digits
    return with_checksum(header)


def sparse_tar():
    """A file that is 8 EB of nothing."""
    header = bytearray(tarfile.TarInfo("sparse").tobuf(tarfile.GNU_FORMAT))
    size = b"\x80\0\0\0" + struct.pack(">Q", 1 << 62)
    header[156:157] = b"S"
    header[386:398], header[398:410] = size, b"00000000000\0"
    header[483:495] = size
    return with_checksum(header) + bytes(1024)


def long_name(kind):
    """A name, or what describes a file, of four gigabytes."""
    info = tarfile.TarInfo("././@LongLink")
    info.size, info.type = 4 << 30, kind
    return gzip_of(info.tobuf(tarfile.GNU_FORMAT), 4 << 10)


def corrupt(archive):
    data = bytearray(archive)
    data[200] ^= 0x55
    return bytes(data)


NOISE = random.Random(1).randbytes(3000)
LINK, HARD = tarfile.SYMTYPE, tarfile.LNKTYPE
C = b"int main(void) { return 0; }\n"

# Leading out.
write("parent.zip", zipped([("../../evil", b"x")]))
write("absolute.zip", zipped([("/tmp/arbitro-evil", b"x")]))
write("drive.zip", zipped([("C:\\evil", b"x")]))
write("share.zip", zipped([("\\\\server\\share\\evil", b"x")]))
write("backslash.zip", zipped([("..\\..\\evil", b"x")]))
write("hidden-parent.zip", zipped([("__MACOSX/../../evil", b"x")]))
write("link.zip", zipped([("out", b"/etc", 0o120777), ("out/evil", b"x")]))
write("through.zip", zipped([("a/x", b"x"), ("out", b"a", 0o120777), ("out/evil", b"x")]))
write("parent.tar", tarred([("../../evil", b"x")]))
write("absolute.tar", tarred([("/tmp/arbitro-evil", b"x")]))
write("link.tar.gz", tarred([("out", b"", {"type": LINK, "linkname": "/tmp"}), ("out/arbitro-evil", b"x")], "w:gz"))
write("parent-link.tar", tarred([("a/out", b"", {"type": LINK, "linkname": "../../.."}), ("a/out/evil", b"x")]))
write("hard-link.tar", tarred([("x", b"", {"type": HARD, "linkname": "/etc/passwd"})]))
write("parent-hard-link.tar", tarred([("a/x", b"", {"type": HARD, "linkname": "../../../../../../etc/passwd"})]))
write("through.tar", tarred([("a/x", b"x"), ("out", b"", {"type": LINK, "linkname": "a"}), ("out/evil", b"x")]))
# What is no file, or has no good name.
write("device.tar", tarred([("disk", b"", {"type": tarfile.BLKTYPE, "devmajor": 8})]))
write("terminal.tar", tarred([("tty", b"", {"type": tarfile.CHRTYPE, "devmajor": 5})]))
write("pipe.tar", tarred([("pipe", b"", {"type": tarfile.FIFOTYPE})]))
write("pipe.zip", zipped([("pipe", b"", 0o010644)]))
write("control.zip", zipped([("a\x1b[2Jb.c", b"x")]))
write("newline.tar", tarred([("a\nb.c", b"x")]))
write("long.zip", zipped([("x" * 300, b"x")]))
write("deep.tar", tarred([("a/" * 3000 + "x", b"x")]))
write("accents.zip", zipped([(unicodedata.normalize(form, "ação.c"), b"x") for form in ("NFC", "NFD")]))
write("file-and-folder.zip", zipped([("a", b"x"), ("a/b", b"x")]))
write("folder-and-file.tar", tarred([("a/b", b"x"), ("a", b"x")]))
# Too much.
write("bomb.zip", zip_of(b"zeros", zeros(10 << 10), 10 << 30))
write("lying-bomb.zip", zip_of(b"zeros", zeros(10 << 10), 100))
write("bomb.tar.gz", gzip_of(b"".join([huge_tar(b"\x80\0\0\0" + struct.pack(">Q", 10 << 30))]), 10 << 10))
write("bomb.gz", gzip_of(b"x", 10 << 10))
write("bombs.zip", zipped([(f"{index}.zip", zip_of(b"zeros", zeros(100), 100 << 20, zlib.crc32(bytes(100 << 20)))) for index in range(6)]))
write("overlap.zip", overlapping())
write("many.zip", zipped([(f"{index}", b"") for index in range(60_000)], zipfile.ZIP_STORED))
write("many.tar.gz", tarred([(f"{index}", b"") for index in range(30_000)], "w:gz", compresslevel=1))
write("many-folders.tar.gz", tarred([("/".join(f"{index}-{depth}" for depth in range(100)), b"") for index in range(6)], "w:gz"))
write("nested.zip", nested(8))
write("quine.zip", QUINE)
write("huge.tar", huge_tar(b"777777777777"))
write("huger.tar", huge_tar(b"\x80\0\0\0" + struct.pack(">Q", (1 << 63) - 1)))
write("sparse.tar", sparse_tar())
write("long-name.tar.gz", long_name(tarfile.GNUTYPE_LONGNAME))
write("long-fields.tar.gz", long_name(tarfile.XHDTYPE))
# Damaged.
write("locked.zip", locked(zipped([("main.c", C)])))
write("cut.zip", zipped([("main.c", NOISE)])[:700])
write("cut.tar.gz", tarred([("main.c", NOISE)], "w:gz")[:700])
write("cut.tar", tarred([("main.c", NOISE)])[:1400])
write("corrupt.zip", corrupt(zipped([("main.c", NOISE)])))
write("empty.zip", b"")
write("page.zip", b"<!DOCTYPE html><title>Log in</title>")
write("page.tar.gz", b"<!DOCTYPE html><title>Log in</title>")
write("unusual.zip", zipped([("main.c", C * 100)], zipfile.ZIP_BZIP2))

# Odd, and good.
old = bytearray(zipped([("aXXo.c", C), ("leia-me.txt", b"x")]))
write("code-page.zip", bytes(old).replace(b"aXXo.c", b"a\x87\xc6o.c"))
write("mac.zip", zipped([(unicodedata.normalize("NFD", "ep/ação.c"), C), ("__MACOSX/ep/._x", b"x"), ("ep/.DS_Store", b"x")]))
write("windows.zip", zipped([("ep\\src\\main.c", C), ("ep\\Makefile", b"all:\n")]))
write("links.tar", tarred([
    ("ep/tool.sh", b"#!/bin/sh\n", {"mode": 0o4755}), ("ep/main.c", C, {"mode": 0o000}), ("ep/copy.c", b"", {"type": LINK, "linkname": "main.c"}),
    ("ep/again.c", b"", {"type": LINK, "linkname": "../ep/copy.c"}), ("ep/hard.c", b"", {"type": HARD, "linkname": "ep/main.c"}),
    ("ep/main.c", b"", {"type": HARD, "linkname": "ep/main.c"}), ("ep/lost", b"", {"type": LINK, "linkname": "nowhere"}),
    ("ep/round", b"", {"type": LINK, "linkname": "round-2"}), ("ep/round-2", b"", {"type": LINK, "linkname": "round"}),
    ("ep/folder", b"", {"type": LINK, "linkname": "."}), ("ep/sub", b"", {"type": tarfile.DIRTYPE, "mode": 0o000}), ("ep/sub/x.h", b"")]))
write("renamed.zip", tarred([("ep/main.c", C)], "w:gz"))
write("twice.zip", zipped([("main.c", b"old"), ("main.c", C)]))
write("inner.zip", zipped([("entrega/ep5.zip", zipped([("src/main.c", C), ("data.zip", zipped([("x", b"x")]))])), ("entrega/relatorio.pdf", b"%PDF")]))
write("prefixed.zip", b"#!/bin/sh\n" + zipped([("main.c", C)]))
write("one.gz", gzip.compress(C))
write("leftovers.zip", zipped([("ep/main.c", C), ("ep/main.o", b"x"), ("ep/.git/config", b"x"), ("ep/main.c~", b"x"), ("ep/#main.c#", b"x"),
                               ("ep/.main.c.swp", b"x"), ("ep/__pycache__/x.pyc", b"x"), ("ep/target/debug/x", b"x")]))
