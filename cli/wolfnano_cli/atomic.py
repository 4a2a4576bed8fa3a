# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of configuration files that a crash cannot leave half done.

A new text goes to a temporary file in the same folder, which is flushed to the
disk, given the old file's owner, mode and attributes, and renamed over it; then
the folder is flushed. A symbolic link stays: what it points to is replaced. The
temporary file's name is fixed, so a later run clears up after one that was killed.
"""
import contextlib
import errno
import fcntl
import os
import stat

from .errors import CommandError, EnvironmentProblem

TEMPORARY = ".{}.wolfnano-new"


def temporary_of(path):
    folder, name = os.path.split(path)
    return os.path.join(folder, TEMPORARY.format(name))


@contextlib.contextmanager
def locked(folder):
    """Keeps other runs of this command out of the folder; ends with the process."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as err:
        raise EnvironmentProblem(f"{folder}: {err.strerror}") from err
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as err:
            if err.errno not in (errno.EAGAIN, errno.EACCES):
                raise cannot(folder, err) from err
            raise CommandError(f"another wolfnano is changing {folder}; "
                               "try again when it has ended") from err
        yield
    finally:
        os.close(handle)


def cannot(path, err):
    advice = {
        errno.EACCES: "; run it as root, or name a file of yours with --config",
        errno.EPERM: "; run it as root (and is the file immutable? see lsattr)",
        errno.EROFS: "; the file system is mounted read-only",
        errno.EBUSY: "; it is a mount point (a file mounted into a container?), so change "
                     "it where it comes from",
        errno.ENOSPC: "; nothing was changed",
    }.get(err.errno, "")
    return EnvironmentProblem(f"cannot write {path}: {err.strerror}{advice}")


def replace(path, text):
    """Gives `path`, which is no symbolic link, this content; complete or not at all."""
    data = text.encode("utf-8", "surrogateescape")
    temporary = temporary_of(path)
    try:
        remove(temporary, flush=False)
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        try:
            write_all(handle, data)
            copy_attributes(path, handle)
            os.fsync(handle)
        finally:
            os.close(handle)
        os.rename(temporary, path)
        flush_folder(path)
    except OSError as err:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise cannot(path, err) from err


def write_all(handle, data):
    while data:
        data = data[os.write(handle, data):]


def copy_attributes(path, handle):
    """Owner, mode and extended attributes (SELinux, ACLs) of `path`; 0644 if it is new."""
    try:
        old = os.stat(path)
    except FileNotFoundError:
        os.fchmod(handle, 0o644)
        return
    new = os.fstat(handle)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        os.fchown(handle, old.st_uid, old.st_gid)
    os.fchmod(handle, stat.S_IMODE(old.st_mode))
    with contextlib.suppress(OSError):      # a file system without any
        for name in os.listxattr(path):
            with contextlib.suppress(OSError):
                os.setxattr(handle, name, os.getxattr(path, name))


def remove(path, flush=True):
    try:
        os.unlink(path)
        if flush:
            flush_folder(path)
    except FileNotFoundError:
        return
    except OSError as err:
        raise cannot(path, err) from err


def flush_folder(path):
    handle = os.open(os.path.dirname(path), os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    except OSError as err:
        if err.errno not in (errno.EINVAL, errno.EROFS):    # cannot flush folders
            raise
    finally:
        os.close(handle)
