import SpecSemantics

extension SpecDraft {
    /// Changes each method.
    mutating func updateMethods(_ change: (inout DraftMethod) -> Void) {
        for group in groups.indices {
            for index in groups[group].methods.indices { change(&groups[group].methods[index]) }
        }
    }
}

extension DraftMethod {
    /// Changes the types of parameters, with their names, and those of the body, the reply and its
    /// header fields.
    mutating func updateTypes(_ change: (inout DraftType, _ key: String) -> Void) {
        for section in sections.indices {
            for index in sections[section].fields.indices {
                let key = sections[section].fields[index].name
                change(&sections[section].fields[index].type, key)
            }
        }
        if body != nil { change(&body!, "body") }
        for index in returns.indices { change(&returns[index].type, "reply") }
        for index in replyHeaders.indices {
            change(&replyHeaders[index].type, replyHeaders[index].name)
        }
    }
}

extension DraftType {
    /// Changes the type and all inside it, from the inside out, with the name of its field, which
    /// is in singular for elements.
    mutating func update(key: String, _ change: (inout DraftType, _ key: String) -> Void) {
        switch form {
        case .named, .enumeration, .constant: break
        case .list(var element):
            element.update(key: singular(key), change)
            form = .list(element)
        case .map(let keys, var value):
            value.update(key: singular(key), change)
            form = .map(key: keys, value: value)
        case .object(var object):
            for index in object.fields.indices {
                let name = object.fields[index].name
                object.fields[index].type.update(key: name, change)
            }
            object.additional?.update(key: singular(key), change)
            form = .object(object)
        case .union(var union):
            for index in union.alternatives.indices {
                union.alternatives[index].type.update(key: "", change)
            }
            form = .union(union)
        }
        change(&self, key)
    }
}
