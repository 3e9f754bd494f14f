/// Overloads without the rarely used argument, for generated code. A default argument would be
/// evaluated at every call site, which is costly in debug builds. They are not inlined in release
/// builds, where a call for each field takes less code and compiles faster than what it replaces.
extension JSONReader {
    /// Reads text.
    @discardableResult
    @inline(never)
    public mutating func string(_ value: inout String) -> Bool {
        string(&value, from: .string)
    }

    /// Reads text.
    @discardableResult
    @inline(never)
    public mutating func string(_ value: inout String?) -> Bool {
        string(&value, from: .string)
    }

    /// Reads an integer.
    @discardableResult
    @inline(never)
    public mutating func int(_ value: inout Int) -> Bool {
        int(&value, from: .native)
    }

    /// Reads an integer.
    @discardableResult
    @inline(never)
    public mutating func int(_ value: inout Int?) -> Bool {
        int(&value, from: .native)
    }

    /// Reads a number, correctly rounded.
    @discardableResult
    @inline(never)
    public mutating func double(_ value: inout Double) -> Bool {
        double(&value, from: .native)
    }

    /// Reads a number, correctly rounded.
    @discardableResult
    @inline(never)
    public mutating func double(_ value: inout Double?) -> Bool {
        double(&value, from: .native)
    }

    /// Reads a Boolean.
    @discardableResult
    @inline(never)
    public mutating func bool(_ value: inout Bool) -> Bool {
        bool(&value, from: .native)
    }

    /// Reads a Boolean.
    @discardableResult
    @inline(never)
    public mutating func bool(_ value: inout Bool?) -> Bool {
        bool(&value, from: .native)
    }
}

extension JSONReader {
    /// Leaves the object and skips the remaining members.
    ///
    /// - Returns: `value`, which was made from its fields; nil if a required key is missing or its
    ///   value could not be read.
    @inlinable
    public mutating func endObject<T>(_ value: consuming T) -> T? {
        endObject() ? value : nil
    }
}
