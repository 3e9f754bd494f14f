import TelexRuntime
import VKClient

extension APIManager where API == VK {
    /// Posts pictures on the wall of the logged-in user, in one post. Each picture is uploaded to
    /// an address from VK, and then saved.
    ///
    /// - Returns: An operation with the number of the post. Cancelling it cancels its running
    ///   steps, and nothing is posted.
    func post(_ pictures: [UploadFile], saying message: String) -> GroupOperation<Int> {
        let steps = pictures.flatMap { picture in
            [
                OperationProgress.Step("asking where to send \(picture.name)"),
                OperationProgress.Step("sending \(picture.name)", weight: 8),
                OperationProgress.Step("keeping \(picture.name)"),
            ]
        }
        return group("wall upload", steps: steps + [.init("posting")]) { [self] group in
            var attachments: [String] = []
            for picture in pictures {
                let server = try await group.run(
                    photos.getWallUploadServer(), step: "asking where to send \(picture.name)")
                let sent = try await group.run(
                    photos.upload(uploadURL: server.uploadURL, photo: picture),
                    step: "sending \(picture.name)")
                let kept = try await group.run(
                    photos.saveWallPhoto(photo: sent.photo, server: sent.server, hash: sent.hash),
                    step: "keeping \(picture.name)")
                attachments += kept.map { "photo\($0.ownerID)_\($0.id)" }
            }
            let text = message.isEmpty ? nil : message
            let post = wall.post(message: text, attachments: attachments)
            return try await group.run(post, step: "posting").postID
        }
    }
}
