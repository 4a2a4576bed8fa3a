# SPDX-License-Identifier: GPL-3.0-or-later
"""Python's own use of OpenSSL, as a program that knows nothing of providers:

    python3 application.py CERTIFICATE KEY [PEM-KEY...]

Prints what comes out as JSON, the same whichever provider does the work, and who
serves SHA-256 in this process.
"""
import ctypes
import hashlib
import hmac
import json
import socket
import ssl
import sys
import threading


def digests():
    data, out = b"wolfnano" * 1000, {}
    for name in sorted(hashlib.algorithms_guaranteed):
        h = hashlib.new(name, data)
        out[name] = h.hexdigest(32) if name.startswith("shake") else h.hexdigest()
        copy = h.copy()
        copy.update(data)
        out[f"{name} twice"] = copy.hexdigest(32) if name.startswith("shake") else copy.hexdigest()
    for name in ("md5", "sha1", "sha256", "sha512", "sha3_256"):
        out[f"hmac {name}"] = hmac.new(b"key", data, name).hexdigest()
        out[f"pbkdf2 {name}"] = hashlib.pbkdf2_hmac(name, b"password", b"salt", 1000).hex()
    out["scrypt"] = hashlib.scrypt(b"password", salt=b"salt", n=1024, r=8, p=1).hex()
    return out


def serve(listener, context):
    while True:
        near = listener.accept()[0]
        with context.wrap_socket(near, server_side=True) as stream:
            while data := stream.recv(65536):
                stream.sendall(data[::-1])


def connections(cert, key):
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(cert, key)
    server.set_alpn_protocols(["wolf"])
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, args=(listener, server), daemon=True).start()
    out = []
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        client = ssl.create_default_context(cafile=cert)
        client.minimum_version = client.maximum_version = version
        client.set_alpn_protocols(["wolf"])
        session = None
        for _ in range(2):
            with socket.create_connection(listener.getsockname()) as far, \
                    client.wrap_socket(far, server_hostname="localhost",
                                       session=session) as stream:
                stream.sendall(b"abc" * 1000)
                got = b""
                while len(got) < 3000:
                    got += stream.recv(65536)
                session = stream.session
                out.append([stream.version(), stream.cipher(), stream.session_reused,
                            stream.getpeercert()["subject"], stream.selected_alpn_protocol(),
                            got == b"cba" * 1000])
    return out


def provider():
    lib = ctypes.CDLL("libcrypto.so.3")
    for name in ("EVP_MD_fetch", "EVP_MD_get0_provider", "OSSL_PROVIDER_get0_name"):
        getattr(lib, name).restype = ctypes.c_void_p
    fetched = ctypes.c_void_p(lib.EVP_MD_fetch(None, b"SHA256", None))
    name = lib.OSSL_PROVIDER_get0_name(ctypes.c_void_p(lib.EVP_MD_get0_provider(fetched)))
    return ctypes.string_at(name).decode()


if __name__ == "__main__":
    print(json.dumps({"digests": digests(), "tls": connections(*sys.argv[1:3])}))
    print(provider())
