# SPDX-License-Identifier: GPL-3.0-or-later
"""libcrypto through ctypes, as far as the test vectors need it.

A Lib is a library context of its own with a configuration of its own, so the
default provider and wolfnano stand side by side in one process. Every fetch
checks which provider it got. Operations return bytes (or True), or None where
libcrypto refuses; the reason is left on the error queue and cleared.

Run this inside an OpenSSL with scripts/run-openssl; LIBCRYPTO names the
library ("libcrypto.so.4" for OpenSSL 4.0).
"""
import ctypes
import functools
import os
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint, c_void_p, create_string_buffer

KINDS = ("CIPHER", "MD", "MAC", "KDF", "KEYMGMT", "SIGNATURE", "KEYEXCH", "ASYM_CIPHER", "KEM")
SET_IVLEN, GET_TAG, SET_TAG = 0x9, 0x10, 0x11


class Param(ctypes.Structure):
    _fields_ = [("key", c_char_p), ("type", c_uint), ("data", c_void_p),
                ("size", c_size_t), ("return_size", c_size_t)]


def params(**values):
    """An OSSL_PARAM array: str -> UTF-8 string, bytes -> octet string, int."""
    array = (Param * (len(values) + 1))()
    array.kept = []
    for slot, (name, value) in zip(array, values.items()):
        key = name.replace("_", "-").encode()
        if isinstance(value, int):
            data, kind, size = ctypes.c_int64(value), 1, 8
        elif isinstance(value, str):
            data, kind, size = create_string_buffer(value.encode()), 4, len(value.encode())
        else:
            data, kind, size = create_string_buffer(value, max(len(value), 1)), 5, len(value)
        array.kept += [key, data]
        slot.key, slot.type, slot.size = key, kind, size
        slot.data, slot.return_size = ctypes.addressof(data), 2 ** 64 - 1
    return array


class Unserved(Exception):
    """The context's providers do not have the algorithm."""


class WrongProvider(Exception):
    """Another provider than the one under test has it."""


@functools.lru_cache
def library():
    lib = ctypes.CDLL(os.environ.get("LIBCRYPTO", "libcrypto.so.3"))
    for name in ("OSSL_LIB_CTX_new", "OSSL_PROVIDER_get0_name", "OpenSSL_version",
                 "EVP_CIPHER_CTX_new", "EVP_MAC_CTX_new", "EVP_KDF_CTX_new", "EVP_MD_CTX_new",
                 "EVP_PKEY_CTX_new_from_pkey", "EVP_PKEY_CTX_new_from_name", "d2i_PUBKEY_ex",
                 "d2i_AutoPrivateKey_ex", "EVP_PKEY_new_raw_private_key_ex",
                 "EVP_PKEY_new_raw_public_key_ex", "EVP_PKEY_get0_provider",
                 "EVP_PKEY_CTX_get0_provider",
                 *(f"EVP_{kind}_{verb}" for kind in KINDS for verb in ("fetch", "get0_provider"))):
        getattr(lib, name).restype = c_void_p
    for name in ("OSSL_PROVIDER_get0_name", "OpenSSL_version"):
        getattr(lib, name).restype = c_char_p
    return lib


def version():
    return library().OpenSSL_version(0).decode().split()[1]


class Handle:
    """A libcrypto object and the function that frees it."""

    def __init__(self, pointer, free):
        self.pointer, self.free = pointer, free
        self._as_parameter_ = c_void_p(pointer)

    def __bool__(self):
        return bool(self.pointer)

    def __del__(self):
        if self.pointer:
            getattr(library(), self.free)(self)


class Lib:
    def __init__(self, config, provider):
        self.c, self.provider, self.fetched = library(), provider, {}
        self.keys = {}
        self.ctx = c_void_p(self.c.OSSL_LIB_CTX_new())
        if not self.c.OSSL_LIB_CTX_load_config(self.ctx, config.encode()):
            raise RuntimeError(f"{config}: {self.errors()}")

    def errors(self):
        text, buffer = [], create_string_buffer(256)
        while code := self.c.ERR_get_error():
            self.c.ERR_error_string_n(code, buffer, len(buffer))
            text.append(buffer.value.decode())
        return "; ".join(text)

    def refuse(self):
        """None, with the error queue emptied."""
        self.c.ERR_clear_error()

    def check_provider(self, handle):
        name = self.c.OSSL_PROVIDER_get0_name(c_void_p(handle)).decode()
        if name != self.provider:
            raise WrongProvider(name)

    def fetch(self, kind, name):
        if (kind, name) not in self.fetched:
            got = getattr(self.c, f"EVP_{kind}_fetch")(self.ctx, name.encode(), None)
            if not got:
                self.refuse()
                raise Unserved(f"{kind.lower()} {name}")
            self.check_provider(getattr(self.c, f"EVP_{kind}_get0_provider")(c_void_p(got)))
            self.fetched[kind, name] = c_void_p(got)
        return self.fetched[kind, name]

    # ---- ciphers

    def cipher(self, name, key, iv, data, encrypt, padding=True):
        """Modes without a tag."""
        fetched = self.fetch("CIPHER", name)
        ctx = Handle(self.c.EVP_CIPHER_CTX_new(), "EVP_CIPHER_CTX_free")
        out, done, rest = create_string_buffer(len(data) + 48), c_int(), c_int()
        ok = (self.c.EVP_CipherInit_ex2(ctx, fetched, key, iv, int(encrypt), None) == 1
              and self.c.EVP_CIPHER_CTX_set_padding(ctx, int(padding)) == 1
              and self.c.EVP_CipherUpdate(ctx, out, byref(done), data, len(data)) == 1
              and self.c.EVP_CipherFinal_ex(ctx, byref(out, done.value), byref(rest)) == 1)
        return out.raw[:done.value + rest.value] if ok else self.refuse()

    def aead(self, name, key, iv, aad, data, tag, encrypt):
        """Encrypts to data + tag of len(tag) bytes, or decrypts if `tag` is right."""
        fetched, ccm = self.fetch("CIPHER", name), name.upper().endswith("CCM")
        ctx = Handle(self.c.EVP_CIPHER_CTX_new(), "EVP_CIPHER_CTX_free")
        control = functools.partial(self.c.EVP_CIPHER_CTX_ctrl, ctx)
        update = functools.partial(self.c.EVP_CipherUpdate, ctx)
        out, done, rest = create_string_buffer(len(data) + 16), c_int(), c_int()
        given = create_string_buffer(tag, max(len(tag), 1))
        ok = (self.c.EVP_CipherInit_ex2(ctx, fetched, None, None, int(encrypt), None) == 1
              and control(SET_IVLEN, len(iv), None) == 1
              and (encrypt and not ccm or
                   control(SET_TAG, len(tag), None if encrypt else given) == 1)
              and self.c.EVP_CipherInit_ex2(ctx, None, key, iv, int(encrypt), None) == 1
              and (not ccm or update(None, byref(done), None, len(data)) == 1)
              and (not aad or update(None, byref(done), aad, len(aad)) == 1)
              and update(out, byref(done), data, len(data)) == 1
              and self.c.EVP_CipherFinal_ex(ctx, byref(out, done.value), byref(rest)) == 1
              and (not encrypt or control(GET_TAG, len(tag), given) == 1))
        if not ok:
            return self.refuse()
        return out.raw[:done.value + rest.value] + (given.raw[:len(tag)] if encrypt else b"")

    # ---- MACs and key derivation

    def mac(self, name, key, data, **options):
        ctx = Handle(self.c.EVP_MAC_CTX_new(self.fetch("MAC", name)), "EVP_MAC_CTX_free")
        out, size = create_string_buffer(256), c_size_t()
        ok = (self.c.EVP_MAC_init(ctx, key, c_size_t(len(key)), params(**options)) == 1
              and self.c.EVP_MAC_update(ctx, data, c_size_t(len(data))) == 1
              and self.c.EVP_MAC_final(ctx, out, byref(size), c_size_t(len(out))) == 1)
        return out.raw[:size.value] if ok else self.refuse()

    def kdf(self, name, size, **options):
        ctx = Handle(self.c.EVP_KDF_CTX_new(self.fetch("KDF", name)), "EVP_KDF_CTX_free")
        out = create_string_buffer(max(size, 1))
        ok = self.c.EVP_KDF_derive(ctx, out, c_size_t(size), params(**options)) == 1
        return out.raw[:size] if ok else self.refuse()

    # ---- keys

    def public_key(self, der):
        """From a SubjectPublicKeyInfo."""
        return self.encoded_key("d2i_PUBKEY_ex", der)

    def private_key(self, der):
        """From PKCS#8."""
        return self.encoded_key("d2i_AutoPrivateKey_ex", der)

    def encoded_key(self, decode, der):
        """Tests in a row often use the same key, so the last ones are kept."""
        if (decode, der) not in self.keys:
            start = c_char_p(der)
            if len(self.keys) > 50:
                self.keys.clear()
            self.keys[decode, der] = self.key(getattr(self.c, decode)(
                None, byref(start), len(der), self.ctx, None))
        return self.keys[decode, der]

    @functools.lru_cache
    def has_curve(self, name):
        """Whether keys of the type EC can be made for a curve of this name."""
        ctx = Handle(self.c.EVP_PKEY_CTX_new_from_name(self.ctx, b"EC", None),
                     "EVP_PKEY_CTX_free")
        good = (ctx and self.c.EVP_PKEY_keygen_init(ctx) == 1
                and self.c.EVP_PKEY_CTX_set_params(ctx, params(group=name)) == 1)
        self.refuse()
        return bool(good)

    def raw_key(self, kind, name, data):
        """`kind` is public or private."""
        new = getattr(self.c, f"EVP_PKEY_new_raw_{kind}_key_ex")
        return self.key(new(self.ctx, name.encode(), None, data, c_size_t(len(data))))

    def key(self, pointer):
        if not pointer:
            return self.refuse()
        key = Handle(pointer, "EVP_PKEY_free")
        self.check_provider(self.c.EVP_PKEY_get0_provider(key))
        return key

    def operation(self, key):
        return Handle(self.c.EVP_PKEY_CTX_new_from_pkey(self.ctx, key, None), "EVP_PKEY_CTX_free")

    def verify(self, key, digest, message, signature, **options):
        """True, or None for a signature that is not good."""
        ctx, operation = Handle(self.c.EVP_MD_CTX_new(), "EVP_MD_CTX_free"), c_void_p()
        ok = self.c.EVP_DigestVerifyInit_ex(ctx, byref(operation),
                                            digest.encode() if digest else None, self.ctx, None,
                                            key, params(**options)) == 1
        if ok:
            self.check_provider(self.c.EVP_PKEY_CTX_get0_provider(operation))
        ok = ok and self.c.EVP_DigestVerify(ctx, signature, c_size_t(len(signature)), message,
                                            c_size_t(len(message))) == 1
        self.refuse()
        return True if ok else None

    def sign(self, key, digest, message, **options):
        ctx, operation = Handle(self.c.EVP_MD_CTX_new(), "EVP_MD_CTX_free"), c_void_p()
        out, size = create_string_buffer(65536), c_size_t(65536)
        ok = (self.c.EVP_DigestSignInit_ex(ctx, byref(operation),
                                           digest.encode() if digest else None, self.ctx, None,
                                           key, params(**options)) == 1
              and self.c.EVP_DigestSign(ctx, out, byref(size), message,
                                        c_size_t(len(message))) == 1)
        if not ok:
            return self.refuse()
        self.check_provider(self.c.EVP_PKEY_CTX_get0_provider(operation))
        return out.raw[:size.value]

    def derive(self, key, peer):
        ctx = self.operation(key)
        out, size = create_string_buffer(256), c_size_t(256)
        ok = (self.c.EVP_PKEY_derive_init_ex(ctx, None) == 1
              and self.c.EVP_PKEY_derive_set_peer(ctx, peer) == 1
              and self.c.EVP_PKEY_derive(ctx, out, byref(size)) == 1)
        if ok:
            self.check_provider(self.c.EVP_PKEY_CTX_get0_provider(ctx))
        return out.raw[:size.value] if ok else self.refuse()

    def decrypt(self, key, data, **options):
        ctx = self.operation(key)
        out, size = create_string_buffer(2048), c_size_t(2048)
        ok = (self.c.EVP_PKEY_decrypt_init_ex(ctx, params(**options)) == 1
              and self.c.EVP_PKEY_decrypt(ctx, out, byref(size), data, c_size_t(len(data))) == 1)
        if ok:
            self.check_provider(self.c.EVP_PKEY_CTX_get0_provider(ctx))
        return out.raw[:size.value] if ok else self.refuse()

    def raw_public(self, key):
        out, size = create_string_buffer(4096), c_size_t(4096)
        ok = self.c.EVP_PKEY_get_raw_public_key(key, out, byref(size)) == 1
        return out.raw[:size.value] if ok else self.refuse()

    def encapsulate(self, key, **options):
        """The wrapped key and the secret, as one string."""
        ctx = self.operation(key)
        out, size = create_string_buffer(4096), c_size_t(4096)
        secret, length = create_string_buffer(256), c_size_t(256)
        ok = (self.c.EVP_PKEY_encapsulate_init(ctx, params(**options)) == 1
              and self.c.EVP_PKEY_encapsulate(ctx, out, byref(size), secret, byref(length)) == 1)
        if ok:
            self.check_provider(self.c.EVP_PKEY_CTX_get0_provider(ctx))
        return out.raw[:size.value] + secret.raw[:length.value] if ok else self.refuse()

    def decapsulate(self, key, wrapped):
        ctx = self.operation(key)
        out, size = create_string_buffer(256), c_size_t(256)
        ok = (self.c.EVP_PKEY_decapsulate_init(ctx, None) == 1
              and self.c.EVP_PKEY_decapsulate(ctx, out, byref(size), wrapped,
                                              c_size_t(len(wrapped))) == 1)
        if ok:
            self.check_provider(self.c.EVP_PKEY_CTX_get0_provider(ctx))
        return out.raw[:size.value] if ok else self.refuse()
