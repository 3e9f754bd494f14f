import Foundation

/// How much is kept, and where.
extension ReplyStore {
    // MARK: Bounds

    /// Removes what has waited too long, then the oldest replies until the rest is small enough.
    func prune(now: Date = Date()) { removeUnclaimed(superfluous(now: now)) }

    /// What has waited too long or is too much, of what nobody reads.
    func superfluous(now: Date) -> [String] {
        var total = 0
        let dated = names.map { ($0, changed($0)) }.sorted { $0.1 > $1.1 }
        return dated.filter { name, date in
            guard !isClaimed(name) else { return false }
            let isReply = TransferName(name) != nil
            if isReply {
                let body = Self.body(folder.appendingPathComponent(name, isDirectory: true))
                total += Self.size(of: body) ?? 0
            }
            let isOld = now.timeIntervalSince(date) > max(age / .seconds(1), isReply ? 0 : 604_800)
            return isOld || isReply && total > bytes
        }.map(\.0)
    }

    var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    private func changed(_ name: String) -> Date {
        let path = folder.appendingPathComponent(name).path
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        return facts?[.modificationDate] as? Date ?? .distantPast
    }

    // MARK: Files

    /// Makes the folder, or sees to it that one that is there is for its owner only.
    func makeFolder() throws {
        let files = FileManager.default
        let mine: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try files.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: mine)
        let facts = try files.attributesOfItem(atPath: folder.path)
        if (facts[.posixPermissions] as? NSNumber)?.intValue != 0o700 {
            try files.setAttributes(mine, ofItemAtPath: folder.path)
        }
        Self.openWhileLocked(folder)
        leaveOutOfBackups()
    }

    /// Lets a file, or what will be in a folder, be used while the device is locked, as long as it was
    /// unlocked once since it was started: transfers go on and end meanwhile, whatever the app says
    /// of its own files. A disk that knows no such thing is open anyway.
    static func openWhileLocked(_ place: URL) {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            let open = FileProtectionType.completeUntilFirstUserAuthentication
            try? FileManager.default.setAttributes(
                [.protectionKey: open], ofItemAtPath: place.path)
        #endif
    }

    /// What waits for the next life of the app is worth nothing on another device.
    private func leaveOutOfBackups() {
        #if canImport(Darwin)
            var folder = folder
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try? folder.setResourceValues(values)
        #endif
    }

    static func head(_ place: URL) -> URL { place.appendingPathComponent("head.json") }
    static func body(_ place: URL) -> URL { place.appendingPathComponent("body") }

    static func write(_ data: Data, to file: URL) throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard
            FileManager.default.createFile(
                atPath: file.path, contents: data, attributes: attributes)
        else { throw CocoaError(.fileWriteUnknown) }
        openWhileLocked(file)
    }

    static func size(of file: URL) -> Int? {
        let facts = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (facts?[.size] as? NSNumber)?.intValue
    }
}
