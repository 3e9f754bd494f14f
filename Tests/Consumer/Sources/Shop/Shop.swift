// The client itself is generated from `Specs` while this target is built.
@_exported import TelexRuntime
