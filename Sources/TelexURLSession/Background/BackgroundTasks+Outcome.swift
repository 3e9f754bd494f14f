import Foundation
import TelexTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The outcomes of tasks.
extension BackgroundTasks {
    /// Returns the outcome of a task, and whether it was stored.
    func outcome(
        of task: URLSessionTask, record: BackgroundRecord, name: TransferName?,
        response: URLResponse?, error: (any Error)?
    ) -> (BackgroundExchange.Outcome, isKept: Bool) {
        do throws(TransportError) {
            let reply = try record.reply(of: task, response: response, error: error)
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

    /// Stores a reply.
    ///
    /// - Returns: The stored reply; nil if it could not be stored and is still at its old place.
    /// - Throws: An error if its body was lost in the process.
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
    /// A reply could not be written to disk.
    static func notStored(_ error: any Error) -> TransportError {
        TransportError(.other, "cannot store the reply: \(error.localizedDescription)")
    }
}
