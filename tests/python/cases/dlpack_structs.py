"""DLPack's structs, and a consumer that writes to everything."""
import ctypes


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p), ("deleter", DELETER),
                ("flags", ctypes.c_uint64), ("tensor", Tensor)]


api = ctypes.pythonapi
api.PyCapsule_GetName.restype, api.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
api.PyCapsule_GetPointer.restype, api.PyCapsule_GetPointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
USED = {b"dltensor": b"used_dltensor", b"dltensor_versioned": b"used_dltensor_versioned"}


class Consumed:
    """A capsule's tensor, taken over as a consumer does that writes to everything."""

    def __init__(self, capsule):
        name = api.PyCapsule_GetName(capsule)
        kind = Versioned if name == b"dltensor_versioned" else Managed
        self.managed = kind.from_address(api.PyCapsule_GetPointer(capsule, name))
        api.PyCapsule_SetName(capsule, USED[name])
        self.flags, self.tensor = getattr(self.managed, "flags", None), self.managed.tensor

    @property
    def bytes(self):
        return self.tensor.shape[0] * (self.tensor.shape[1] if self.tensor.ndim == 2 else 1) * self.tensor.bits // 8

    def scribble(self):
        ctypes.memset(self.tensor.data, 0xee, self.bytes)

    def end(self):
        self.managed.deleter(ctypes.addressof(self.managed))
