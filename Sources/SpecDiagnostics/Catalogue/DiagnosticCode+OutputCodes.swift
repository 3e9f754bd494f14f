/// T08xx: spec folders and what is written. Most are about the file system, so no file's content
/// can be an example of them.
extension DiagnosticCode {
    static let outputCodes: [DiagnosticCode] = [
        .noFolder, .unreadable, .endlessFolder, .unwritable, .staleOutput, .foreignFile,
        .outputCollision, .notEmpty, .unknownMethod, .otherAPI,
    ]

    /// The spec folder is missing or is no folder.
    public static let noFolder = DiagnosticCode(
        "T0801", "no such spec folder",
        example: [],
        explanation: """
            The path that should lead to a folder of specs leads nowhere, or to a file. Telex always
            takes the whole folder, because names resolve across all of its files:

            ```
            telex check specs/vk          # not specs/vk/api.yaml
            ```
            """)

    /// A file or folder of the spec cannot be read.
    public static let unreadable = DiagnosticCode(
        "T0802", "a file that cannot be read",
        example: [],
        explanation: """
            The system refused to give a file or folder of the spec, or it is nothing to read from:
            a link without a target, a socket, a file of more than 64 MiB. A spec with a part
            missing could mean something else, so nothing is generated. Mend its permissions
            (`chmod u+r`), remove it, or give it a name that begins with a full stop: hidden files
            and folders are no part of a spec.
            """)

    /// A symbolic link leads back to a folder it lies in.
    public static let endlessFolder = DiagnosticCode(
        "T0803", "a folder that holds itself",
        example: [],
        explanation: """
            A symbolic link inside the spec folder leads to a folder that the link itself lies in,
            so reading would never end. Links to files and to other folders are followed. Remove
            this one.
            """)

    /// The output folder or a file in it cannot be written.
    public static let unwritable = DiagnosticCode(
        "T0804", "output that cannot be written",
        example: [],
        explanation: """
            The system refused to write: a file stands where the output folder should be, a
            permission is missing, or the disk is full. Each file is written beside its place and
            then renamed, so none is left half-written; those that were renamed before the mistake
            are whole and new.

            In a build-tool plugin only the plugin's own folder may be written. To keep generated
            code in the package, use the command plugin:

            ```
            swift package --allow-writing-to-package-directory telex generate specs/vk \\
                --output Sources/VKClient
            ```
            """)

    /// Generated code does not say what the spec says.
    public static let staleOutput = DiagnosticCode(
        "T0805", "generated code is out of date",
        example: [],
        explanation: """
            `telex generate --check` found a generated file that is missing, that differs from what
            the spec gives now, or whose spec file is gone. Somebody changed the spec without
            generating, or changed a generated file by hand. Run the same command without `--check`
            and commit what it writes; `--diff` shows what would change.
            """)

    /// A file that telex did not write stands where it would write.
    public static let foreignFile = DiagnosticCode(
        "T0806", "a file of yours is in the way",
        example: [],
        explanation: """
            Telex overwrites and removes only files that begin with the line it puts at the top of
            everything it generates. This one does not, so it may be your work. Move it, rename it,
            or generate into a folder of its own.
            """)

    /// Two spec files would make one Swift file.
    public static let outputCollision = DiagnosticCode(
        "T0807", "two spec files make one Swift file",
        example: .folder() + [
            ExampleFile("uSers.yaml", "methods:\n  ping:\n    get: ping\n    returns: nothing\n")
        ],
        explanation: """
            Generated files are named after spec files in upper camel case: `photo-albums.yaml`
            becomes `PhotoAlbums.swift`, `media/photos.yaml` becomes `Media+Photos.swift`. Two names
            that differ only in the case of letters make two files on Linux and one on a Mac, so
            they count as equal. Rename one of the two spec files.
            """)

    /// `telex new` would write over something.
    public static let notEmpty = DiagnosticCode(
        "T0808", "a folder that is not empty",
        example: [],
        explanation: """
            `telex new FOLDER` writes a spec to start from, and never over anything that exists.
            Name a folder that does not exist yet or that is empty.
            """)

    /// `telex explain` was asked about a method that the spec does not have.
    public static let unknownMethod = DiagnosticCode(
        "T0809", "unknown method",
        example: [],
        explanation: """
            `telex explain METHOD` takes the name a method has in its spec, with or without the name
            of its group: `users.get`, or `get` if only one group has it. `telex dump ir` lists all
            of them.
            """)

    /// The output folder is that of another API.
    public static let otherAPI = DiagnosticCode(
        "T0810", "a folder with the client of another API",
        example: [],
        explanation: """
            `telex generate` makes the output folder be what the spec says, and removes what telex
            generated there for files that the spec does not have. The `API.swift` in this folder is
            of an API with another name, so its client would be lost. Generate into a folder of its
            own. If it is the same API under a new name, say so with `--replace`.
            """)
}
