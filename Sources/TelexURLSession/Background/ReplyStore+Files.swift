import Foundation

/// The limits and the files of the store.
extension ReplyStore {
    // MARK: Bounds

    /// Removes expired items, then the oldest replies until the rest is within the limit.
    func prune(now: Date = Date()) { removeUnclaimed(itemsToPrune(now: now)) }

    /// Returns the unclaimed items that are expired or exceed the limit.
    func itemsToPrune(now: Date) -> [String] {
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

    /// Creates the folder, or makes an existing one accessible to its owner only.
    func makeFolder() throws {
        let files = FileManager.default
        let mine: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try files.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: mine)
        let facts = try files.attributesOfItem(atPath: folder.path)
        if (facts[.posixPermissions] as? NSNumber)?.intValue != 0o700 {
            try files.setAttributes(mine, ofItemAtPath: folder.path)
        }
        Self.allowAccessWhileLocked(folder)
        excludeFromBackups()
    }

    /// Makes a file, or the future contents of a folder, accessible while the device is locked, if
    /// it was unlocked once since its start. Transfers continue and end during that time, whatever
    /// protection the app gives its own files. Errors are ignored, because a disk without file
    /// protection needs no change.
    static func allowAccessWhileLocked(_ place: URL) {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            let open = FileProtectionType.completeUntilFirstUserAuthentication
            try? FileManager.default.setAttributes(
                [.protectionKey: open], ofItemAtPath: place.path)
        #endif
    }

    /// Excluded, because replies for the next process are useless on another device.
    private func excludeFromBackups() {
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
        allowAccessWhileLocked(file)
    }

    static func size(of file: URL) -> Int? {
        let facts = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (facts?[.size] as? NSNumber)?.intValue
    }
}
