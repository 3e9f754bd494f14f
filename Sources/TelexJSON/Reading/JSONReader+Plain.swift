/// The calls that most of generated code makes, without the argument that is rarely given: a default
/// argument is evaluated wherever it is left out, and debug builds of generated code are made of
/// such calls.
extension JSONReader {
    /// Reads text.
    @discardableResult
    public mutating func string(_ value: inout String) -> Bool {
        string(&value, from: .string)
    }

    /// Reads text.
    @discardableResult
    public mutating func string(_ value: inout String?) -> Bool {
        string(&value, from: .string)
    }

    /// Reads text of at most this many Unicode scalars; more are a violation, and the text is kept.
    @discardableResult
    public mutating func string(_ value: inout String, maxLength: Int) -> Bool {
        guard string(&value, from: .string) else { return false }
        self.maxLength(value, maxLength)
        return true
    }

    /// Reads text of at most this many Unicode scalars; more are a violation, and the text is kept.
    @discardableResult
    public mutating func string(_ value: inout String?, maxLength: Int) -> Bool {
        guard string(&value, from: .string) else { return false }
        self.maxLength(value, maxLength)
        return true
    }

    /// Reads an integer.
    @discardableResult
    public mutating func int(_ value: inout Int) -> Bool {
        int(&value, from: .native)
    }

    /// Reads an integer.
    @discardableResult
    public mutating func int(_ value: inout Int?) -> Bool {
        int(&value, from: .native)
    }

    /// Reads a number, correctly rounded.
    @discardableResult
    public mutating func double(_ value: inout Double) -> Bool {
        double(&value, from: .native)
    }

    /// Reads a number, correctly rounded.
    @discardableResult
    public mutating func double(_ value: inout Double?) -> Bool {
        double(&value, from: .native)
    }

    /// Reads a Boolean.
    @discardableResult
    public mutating func bool(_ value: inout Bool) -> Bool {
        bool(&value, from: .native)
    }

    /// Reads a Boolean.
    @discardableResult
    public mutating func bool(_ value: inout Bool?) -> Bool {
        bool(&value, from: .native)
    }
}

extension JSONReader {
    /// Leaves the object.
    ///
    /// - Returns: the value that was made of its fields; nil if a required key is missing or the
    ///   value of one could not be read.
    @inlinable
    public mutating func endObject<T>(_ value: consuming T) -> T? {
        endObject() ? value : nil
    }
}
