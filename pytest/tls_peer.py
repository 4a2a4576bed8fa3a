# SPDX-License-Identifier: GPL-3.0-or-later
"""One side of TLS connections, in any OpenSSL, through its libssl:

    run-openssl VERSION python3 tls_peer.py CONFIG

Jobs come on standard input, one JSON object a line (Peer in tls_pair.py makes them).
A server answers with {"port": …} as soon as it listens; every job ends with a line
of what was negotiated, or of {"error": …}. The library context has the providers of
CONFIG and no others. Contexts (SSL_CTX) with the same options are kept, and with them
the keys of tickets; sessions are kept under the name that a job gives them.
"""
import ctypes
import json
import os
import socket
import struct
import sys
from ctypes import c_char_p, c_int, c_long, c_size_t, c_uint, c_void_p

from libcrypto import library

C = library()
S = ctypes.CDLL(os.environ["LIBCRYPTO"].replace("crypto", "ssl"))
for function in ("TLS_client_method", "TLS_server_method", "DTLS_client_method",
                 "DTLS_server_method", "SSL_CTX_new_ex", "SSL_new", "SSL_get1_session"):
    getattr(S, function).restype = c_void_p
for function in ("SSL_get_version", "SSL_CIPHER_get_name", "SSL_group_to_name",
                 "SSL_get_srp_username"):
    getattr(S, function).restype = c_char_p
S.SSL_get_current_cipher.restype = c_void_p
C.BIO_new_dgram.restype = C.BIO_ADDR_new.restype = c_void_p

SIDES = {"server": 1, "client": 0}
# SSL_CTX_ctrl
GROUPS_LIST, SIGALGS_LIST, CLIENT_SIGALGS_LIST, DH_AUTO, MIN_PROTO, MAX_PROTO = 92, 98, 102, 118, 123, 124
CONNECTED = 32                  # BIO_ctrl of a datagram BIO
NEGOTIATED_GROUP = 134          # SSL_ctrl
KEY_UPDATE_REQUESTED = 1
VERSIONS = {"1.0": 0x301, "1.1": 0x302, "1.2": 0x303, "1.3": 0x304,
            "dtls1.0": 0xfeff, "dtls1.2": 0xfefd}
OPTIONS = {"no_etm": 1 << 19, "no_ems": 1, "client_renegotiation": 1 << 8, "no_ticket": 1 << 14}
EARLY_SUCCESS, EARLY_FINISH = 1, 2
TIMEOUT = 20

KeyLog = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)
PskClient = ctypes.CFUNCTYPE(c_uint, c_void_p, c_char_p, c_void_p, c_uint, c_void_p, c_uint)
PskServer = ctypes.CFUNCTYPE(c_uint, c_void_p, c_char_p, c_void_p, c_uint)
SrpServer = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)
AlpnSelect = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_uint, c_void_p)


class Failed(Exception):
    pass


def errors():
    text, buffer = [], ctypes.create_string_buffer(256)
    while code := C.ERR_get_error():
        C.ERR_error_string_n(code, buffer, c_size_t(len(buffer)))
        text.append(buffer.value.decode())
    return "; ".join(text) or "no reason given"


def good(result, what):
    if result <= 0:
        raise Failed(f"{what}: {errors()}")
    return result


class Context:
    """An SSL_CTX made of the options of a job that are not of one connection."""

    def __init__(self, libctx, job):
        self.keylog, self.server = [], job["role"] == "server"
        method = f"{'DTLS' if job['version'].startswith('d') else 'TLS'}_{job['role']}_method"
        self.ctx = c_void_p(S.SSL_CTX_new_ex(libctx, None, c_void_p(getattr(S, method)())))
        good(self.ctx.value or 0, "SSL_CTX_new_ex")
        self.limits(job)
        self.files(job)
        self.callbacks(job)

    def control(self, command, number=0, text=None):
        good(S.SSL_CTX_ctrl(self.ctx, command, c_long(number), text), f"control {command} {text}")

    def limits(self, job):
        version = VERSIONS[job["version"]]
        self.control(MIN_PROTO, version)
        self.control(MAX_PROTO, version)
        S.SSL_CTX_set_options(self.ctx, ctypes.c_uint64(
            sum(OPTIONS[name] for name in job.get("options", ()))))
        S.SSL_CTX_set_security_level(self.ctx, job.get("level", 1))
        for name, command in (("groups", GROUPS_LIST), ("sigalgs", SIGALGS_LIST),
                              ("client_sigalgs", CLIENT_SIGALGS_LIST)):
            if name in job:
                self.control(command, 0, job[name].encode())
        if "ciphers" in job:
            good(S.SSL_CTX_set_cipher_list(self.ctx, job["ciphers"].encode()), "cipher list")
        if "suites" in job:
            good(S.SSL_CTX_set_ciphersuites(self.ctx, job["suites"].encode()), "cipher suites")
        if "early" in job:
            S.SSL_CTX_set_max_early_data(self.ctx, c_uint(16384))
        if self.server:
            self.control(DH_AUTO, 1)
            S.SSL_CTX_set_session_id_context(self.ctx, b"wolfnano", c_uint(8))

    def files(self, job):
        if "cert" in job:
            good(S.SSL_CTX_use_certificate_file(self.ctx, job["cert"].encode(), 1), "certificate")
            good(S.SSL_CTX_use_PrivateKey_file(self.ctx, job["key"].encode(), 1), "private key")
            good(S.SSL_CTX_check_private_key(self.ctx), "key of the certificate")
        if "ca" in job:
            good(S.SSL_CTX_load_verify_file(self.ctx, job["ca"].encode()), "trusted certificates")
            S.SSL_CTX_set_verify(self.ctx, 3, None)

    def callbacks(self, job):
        # a client alone logs the premaster secret that it encrypts
        self.kept = [KeyLog(lambda _, line: line.startswith(b"RSA ")
                            or self.keylog.append(line.decode()))]
        S.SSL_CTX_set_keylog_callback(self.ctx, self.kept[0])
        psk = bytes.fromhex(job.get("psk", ""))

        def client(_ssl, _hint, identity, _room, out, _size):
            ctypes.memmove(identity, b"me\0", 3)
            ctypes.memmove(out, psk, len(psk))
            return len(psk)

        def server(_ssl, identity, out, _size):
            ctypes.memmove(out, psk, len(psk))
            return len(psk) if identity == b"me" else 0
        if psk and self.server:
            self.kept.append(PskServer(server))
            S.SSL_CTX_set_psk_server_callback(self.ctx, self.kept[-1])
        elif psk:
            self.kept.append(PskClient(client))
            S.SSL_CTX_set_psk_client_callback(self.ctx, self.kept[-1])
        if "srp" in job:
            self.srp(job["srp"].encode())
        if "alpn" in job:
            self.alpn(job["alpn"].encode())

    def srp(self, password):
        """libssl computes with it; what it hashes and draws is the provider's."""
        def server(ssl, _alert, _arg):
            ssl = c_void_p(ssl)
            if S.SSL_get_srp_username(ssl) == b"me" and \
                    S.SSL_set_srp_server_param_pw(ssl, b"me", password, b"2048") == 1:
                return 0
            return 3            # SSL3_AL_FATAL
        if self.server:
            self.kept.append(SrpServer(server))
            S.SSL_CTX_set_srp_username_callback(self.ctx, self.kept[-1])
        else:
            good(S.SSL_CTX_set_srp_username(self.ctx, b"me"), "user's name")
            good(S.SSL_CTX_set_srp_password(self.ctx, password), "password")

    def alpn(self, name):
        wire = bytes([len(name)]) + name

        def select(_ssl, out, size, offered, length, _arg):
            at = ctypes.string_at(offered, length).find(wire)
            if at < 0:
                return 2        # SSL_TLSEXT_ERR_ALERT_FATAL
            ctypes.cast(out, ctypes.POINTER(c_void_p))[0] = offered + at + 1
            ctypes.cast(size, ctypes.POINTER(ctypes.c_ubyte))[0] = len(name)
            return 0
        if self.server:
            self.kept.append(AlpnSelect(select))
            S.SSL_CTX_set_alpn_select_cb(self.ctx, self.kept[-1], None)
        else:
            S.SSL_CTX_set_alpn_protos(self.ctx, wire, c_uint(len(wire)))


class Connection:
    def __init__(self, context, sock, datagram):
        self.sock = sock
        limit = struct.pack("ll", TIMEOUT, 0)
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            sock.setsockopt(socket.SOL_SOCKET, option, limit)
        self.ssl = c_void_p(S.SSL_new(context.ctx))
        if datagram:
            bio, address = c_void_p(C.BIO_new_dgram(sock.fileno(), 0)), c_void_p(C.BIO_ADDR_new())
            host, port = sock.getpeername()
            C.BIO_ADDR_rawmake(address, socket.AF_INET, socket.inet_aton(host), c_size_t(4),
                               ctypes.c_ushort(socket.htons(port)))
            C.BIO_ctrl(bio, CONNECTED, c_long(0), address)
            C.BIO_ADDR_free(address)
            S.SSL_set_bio(self.ssl, bio, bio)
        else:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            good(S.SSL_set_fd(self.ssl, sock.fileno()), "SSL_set_fd")

    def close(self):
        S.SSL_free(self.ssl)
        self.sock.close()

    def write(self, data):
        good(S.SSL_write(self.ssl, data, len(data)), "write")

    def read(self):
        """b"" at the end of the connection."""
        buffer = ctypes.create_string_buffer(65536)
        n = S.SSL_read(self.ssl, buffer, len(buffer))
        if n <= 0 and S.SSL_get_error(self.ssl, n) != 6:        # SSL_ERROR_ZERO_RETURN
            raise Failed(f"read: {errors()}")
        return buffer.raw[:max(n, 0)]

    def read_early(self):
        """What the client sent with its first flight."""
        buffer, size, seen = ctypes.create_string_buffer(16384), c_size_t(), b""
        while True:
            result = S.SSL_read_early_data(self.ssl, buffer, c_size_t(16384), ctypes.byref(size))
            if result == EARLY_FINISH:
                return seen
            if result != EARLY_SUCCESS:
                raise Failed(f"early data: {errors()}")
            seen += buffer.raw[:size.value]

    def echo(self, data):
        """Sends and gets the same reversed."""
        self.write(data)
        got = b""
        while len(got) < len(data):
            piece = self.read()
            if not piece:
                raise Failed("closed")
            got += piece
        if got != data[::-1]:
            raise Failed("something else came back")

    def state(self):
        group = S.SSL_ctrl(self.ssl, NEGOTIATED_GROUP, c_long(0), None)
        name = S.SSL_group_to_name(self.ssl, group) if group > 0 else None
        state = {
            "version": S.SSL_get_version(self.ssl).decode(),
            "cipher": S.SSL_CIPHER_get_name(c_void_p(S.SSL_get_current_cipher(self.ssl))).decode(),
            "group": name.decode() if name else "", "resumed": S.SSL_session_reused(self.ssl),
            "verify": S.SSL_get_verify_result(self.ssl)}
        proto, size = c_void_p(), c_uint()
        S.SSL_get0_alpn_selected(self.ssl, ctypes.byref(proto), ctypes.byref(size))
        state["alpn"] = ctypes.string_at(proto, size.value).decode() if size.value else ""
        secret = ctypes.create_string_buffer(32)
        good(S.SSL_export_keying_material(self.ssl, secret, c_size_t(32), b"EXPERIMENTAL",
                                          c_size_t(12), b"abc", c_size_t(3), 1), "export")
        state["exported"] = secret.raw.hex()
        return state


CONTEXT_OF_JOB = ("role", "version", "options", "level", "groups", "sigalgs", "client_sigalgs",
                  "ciphers", "suites", "cert", "key", "ca", "psk", "srp", "alpn", "early")


class Side:
    def __init__(self, config):
        self.libctx = c_void_p(C.OSSL_LIB_CTX_new())
        good(C.OSSL_LIB_CTX_load_config(self.libctx, config.encode()), "configuration")
        self.contexts, self.sessions = {}, {}

    def context(self, job):
        key = json.dumps({name: job[name] for name in CONTEXT_OF_JOB if name in job
                          and (name != "early" or job["role"] == "server")})
        if key not in self.contexts:
            self.contexts[key] = Context(self.libctx, job)
        self.contexts[key].keylog.clear()
        return self.contexts[key]

    def server(self, job):
        datagram = job["version"].startswith("d")
        with socket.socket(type=socket.SOCK_DGRAM if datagram else socket.SOCK_STREAM) as sock:
            sock.bind(("127.0.0.1", 0))
            sock.settimeout(TIMEOUT)
            context = self.context(job)
            if not datagram:
                sock.listen()
            print(json.dumps({"port": sock.getsockname()[1]}), flush=True)
            if datagram:
                sock.connect(sock.recvfrom(1, socket.MSG_PEEK)[1])
                near = sock.dup()
            else:
                near = sock.accept()[0]
        near.setblocking(True)
        connection, state = Connection(context, near, datagram), {}
        try:
            if "early" in job:
                state["early"] = connection.read_early().decode()
            good(S.SSL_accept(connection.ssl), "accept")
            while data := connection.read():
                connection.write(data[::-1])
            S.SSL_shutdown(connection.ssl)      # or the session will not be resumed
            return {**connection.state(), **state, "keylog": sorted(context.keylog)}
        finally:
            connection.close()

    def client(self, job):
        datagram = job["version"].startswith("d")
        context = self.context(job)
        sock = socket.socket(type=socket.SOCK_DGRAM if datagram else socket.SOCK_STREAM)
        sock.connect(("127.0.0.1", job["port"]))
        connection = Connection(context, sock, datagram)
        try:
            if "resume" in job:
                good(S.SSL_set_session(connection.ssl, self.sessions[job["resume"]]), "session")
            if "early" in job:
                data, size = job["early"].encode(), c_size_t()
                good(S.SSL_write_early_data(connection.ssl, data, c_size_t(len(data)),
                                            ctypes.byref(size)), "early data")
            good(S.SSL_connect(connection.ssl), "connect")
            connection.echo(b"wolfnano" * job.get("times", 10))
            for step in job.get("steps", ()):
                self.step(connection, step)
            if "save" in job:
                self.sessions[job["save"]] = c_void_p(S.SSL_get1_session(connection.ssl))
            state = {**connection.state(), "keylog": sorted(context.keylog)}
            S.SSL_shutdown(connection.ssl)
            return state
        finally:
            connection.close()

    @staticmethod
    def step(connection, name):
        if name == "update":
            good(S.SSL_key_update(connection.ssl, KEY_UPDATE_REQUESTED), "key update")
        else:
            good(S.SSL_renegotiate(connection.ssl), "renegotiate")
        good(S.SSL_do_handshake(connection.ssl), name)
        connection.echo(b"after " + name.encode())
        connection.echo(b"x" * 5000)


def main():
    side = Side(sys.argv[1])
    for line in sys.stdin:
        job = json.loads(line)
        try:
            answer = getattr(side, job["role"])(job)
        except (Failed, OSError) as error:
            answer = {"error": f"{error}"}
        C.ERR_clear_error()
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
