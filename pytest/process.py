# SPDX-License-Identifier: GPL-3.0-or-later
"""What a process may do with wolfnano, one step a run:

    run-openssl VERSION python3 process.py STEP CONFIG

Prints "done" if all went well. OPENSSL_CONF is CONFIG too, so the library's
default context is configured at its first use.
"""
import ctypes
import os
import sys
import threading
import time
from ctypes import byref, c_size_t, c_void_p, create_string_buffer

from libcrypto import Handle, Lib, library

C = library()
PROVIDER = os.environ.get("PROVIDER", "wolfnano")


def random_bytes(ctx=None, size=32):
    out = create_string_buffer(size)
    assert C.RAND_bytes_ex(ctx, out, c_size_t(size), 0) == 1, errors()
    return out.raw


def digest(ctx=None, data=b"abc"):
    out, size = create_string_buffer(64), c_size_t()
    assert C.EVP_Q_digest(ctx, b"SHA256", None, data, c_size_t(len(data)), out,
                          byref(size)) == 1, errors()
    return out.raw[:size.value]


def errors():
    buffer = create_string_buffer(256)
    C.ERR_error_string_n(C.ERR_get_error(), buffer, len(buffer))
    return buffer.value.decode()


EXPECTED = bytes.fromhex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")


def use(ctx=None):
    assert digest(ctx) == EXPECTED
    return random_bytes(ctx)


def in_threads(count, work):
    """All at once; fails if one does."""
    barrier, good = threading.Barrier(count), []

    def body():
        barrier.wait()
        work()
        # Python's join() does not wait for the end of the system's thread, and
        # libcrypto 3.0 minds a context that is freed before that.
        C.OPENSSL_thread_stop()
        good.append(1)
    threads = [threading.Thread(target=body) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(good) == count


def in_child(work):
    """What `work` returns in a forked child."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, work())
            sys.stdout.flush()
        finally:
            os._exit(0)
    os.close(writer)
    got = os.read(reader, 100)
    _, status = os.waitpid(child, 0)
    os.close(reader)
    assert status == 0, status
    return got


def threads(_):
    """The first call of the process comes from eight threads at once."""
    seen = []
    in_threads(8, lambda: seen.append(use()))
    assert len(set(seen)) == 8


def fork(_):
    """The first call of the process comes after a fork."""
    first, second = in_child(use), in_child(use)
    assert len(first) == 32 and len({first, second, use()}) == 3


def fork_after_use(_):
    """A child does not repeat its parent's random bytes."""
    use()
    drawn = {in_child(use), in_child(use), use(), in_child(lambda: in_child(use))}
    assert len(drawn) == 4


def exit_without_cleanup(config):
    """Contexts, fetched algorithms and contexts of them are left as they are."""
    lib = Lib(config, PROVIDER)
    use(lib.ctx)
    use()
    lib.fetch("MD", "SHA256")
    ctx = C.EVP_MD_CTX_new()
    assert C.EVP_DigestInit_ex2(c_void_p(ctx), lib.fetched["MD", "SHA256"], None) == 1
    sys.modules["kept"] = lib, ctx


def objects_outlive_context(config):
    """An EVP_MD and its context are used after OSSL_LIB_CTX_free, then freed."""
    lib = Lib(config, PROVIDER)
    fetched = lib.fetch("MD", "SHA256")
    ctx = Handle(C.EVP_MD_CTX_new(), "EVP_MD_CTX_free")
    assert C.EVP_DigestInit_ex2(ctx, fetched, None) == 1
    C.OSSL_LIB_CTX_free(lib.ctx)
    out = create_string_buffer(32)
    assert C.EVP_DigestUpdate(ctx, b"abc", c_size_t(3)) == 1
    assert C.EVP_DigestFinal_ex(ctx, out, None) == 1
    assert out.raw == EXPECTED
    del ctx
    C.EVP_MD_free(fetched)


def threads_at_exit(_):
    """Daemon threads are in the midst of it when the process ends. They use what
    they fetched before: a fetch, or the random generators, while libcrypto takes
    its default context apart is a crash with its own providers too."""
    fetched = c_void_p(C.EVP_MD_fetch(None, b"SHA256", None))

    def body():
        ctx, out = c_void_p(C.EVP_MD_CTX_new()), create_string_buffer(32)
        while True:
            C.EVP_DigestInit_ex2(ctx, fetched, None)
            C.EVP_DigestUpdate(ctx, b"abc" * 1000, c_size_t(3000))
            C.EVP_DigestFinal_ex(ctx, out, None)
    for _ in range(4):
        threading.Thread(target=body, daemon=True).start()
    time.sleep(0.2)
    sys.stdout.write("done\n")
    sys.stdout.flush()
    C.exit(0)


def reload(config):
    """Load, use, unload, again and again."""
    for _ in range(20):
        lib = Lib(config, PROVIDER)
        use(lib.ctx)
        C.OSSL_LIB_CTX_free(lib.ctx)


def two_contexts(config):
    """Two at once, one of which goes while the other is in use."""
    one, two = Lib(config, PROVIDER), Lib(config, PROVIDER)
    assert use(one.ctx) != use(two.ctx)
    in_threads(4, lambda: [use(ctx) for ctx in (one.ctx, two.ctx)])
    C.OSSL_LIB_CTX_free(one.ctx)
    use(two.ctx)
    C.OSSL_LIB_CTX_free(two.ctx)
    use()


if __name__ == "__main__":
    C.RAND_bytes_ex.argtypes = [c_void_p, c_void_p, c_size_t, ctypes.c_uint]
    C.EVP_Q_digest.argtypes = [c_void_p, ctypes.c_char_p, c_void_p, ctypes.c_char_p, c_size_t,
                               c_void_p, c_void_p]
    globals()[sys.argv[1].replace("-", "_")](sys.argv[2])
    print("done")
