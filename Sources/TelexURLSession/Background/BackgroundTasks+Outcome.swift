import Foundation
import TelexTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What comes of tasks.
extension BackgroundTasks {
    /// What came of a task, and whether that was kept.
    func outcome(
        _ record: BackgroundRecord, _ name: TransferName?, _ task: URLSessionTask,
        _ response: URLResponse?, _ error: (any Error)?
    ) -> (BackgroundExchange.Outcome, isKept: Bool) {
        do throws(TransportError) {
            let reply = try record.reply(task, response, error)
            guard let name, 200...299 ~= reply.head.status.code, record.excess == nil else {
                return (.success(reply), false)
            }
            let kept = try keep(reply, name)
            return (.success(kept ?? reply), kept != nil)
        } catch {
            BackgroundRecord.remove(record.file)
            return (.failure(error), false)
        }
    }

    /// - Returns: nil if the reply could not be kept and is still where it was.
    /// - Throws: If its body was lost on the way.
    private func keep(
        _ reply: StoredReply, _ name: TransferName
    ) throws(TransportError) -> StoredReply? {
        do { return try store.keep(reply, as: name) } catch {
            if let file = reply.file, !FileManager.default.fileExists(atPath: file.path) {
                throw .notStored(error)
            }
            return nil
        }
    }
}

extension TransportError {
    /// The disk did not take a reply.
    static func notStored(_ error: any Error) -> TransportError {
        TransportError(.other, "cannot store the reply: \(error.localizedDescription)")
    }
}
