/// T08xx: spec folders and output. Most are about the file system, so they have no example.
extension DiagnosticCode {
    static let outputCodes: [DiagnosticCode] = [
        .noFolder, .unreadable, .endlessFolder, .unwritable, .staleOutput, .foreignFile,
        .outputCollision, .notEmpty, .unknownMethod, .otherAPI, .notFormatted, .unformatted,
    ]

    /// The spec folder is missing or is no folder.
    public static let noFolder = DiagnosticCode(
        "T0801", "no such spec folder",
        example: [],
        explanation: """
            The path of the spec folder does not exist, or is a file. Telex always takes the whole
            folder, because names resolve across all of its files:

            ```
            telex check specs/vk          # not specs/vk/api.yaml
            ```
            """)

    /// A file or folder of the spec cannot be read.
    public static let unreadable = DiagnosticCode(
        "T0802", "a file that cannot be read",
        example: [],
        explanation: """
            A file or folder of the spec cannot be read, or is not a regular file: a link without a
            target, a socket, a file of more than 64 MiB. An incomplete spec could have another
            meaning, so nothing is generated. Correct its permissions (`chmod u+r`), remove it, or
            give it a name that begins with a full stop: hidden files and folders are not part of a
            spec.
            """)

    /// A symbolic link leads back to an enclosing folder, or out of the spec.
    public static let endlessFolder = DiagnosticCode(
        "T0803", "a link to a folder that contains it, or is elsewhere",
        example: [],
        explanation: """
            A symbolic link inside the spec folder leads to a folder that contains the link, so
            reading would never end, or to one outside of the spec folder, which may be the whole
            disk. Links to files, and to folders inside the spec folder, are followed. Remove this
            one, move the folder into the spec, or link its files.
            """)

    /// The output folder or a file in it cannot be written.
    public static let unwritable = DiagnosticCode(
        "T0804", "output that cannot be written",
        example: [],
        explanation: """
            The output cannot be written: the output folder is a file, a permission is missing, or
            the disk is full. Each file is first written to a temporary file and then renamed, so
            none is left half-written; files that were renamed before the error have their new
            content.

            In a build-tool plugin only the plugin's own folder may be written. To keep generated
            code in the package, use the command plugin:

            ```
            swift package --allow-writing-to-package-directory telex generate specs/vk \\
                --output Sources/VKClient
            ```
            """)

    /// Generated code is out of date.
    public static let staleOutput = DiagnosticCode(
        "T0805", "generated code is out of date",
        example: [],
        explanation: """
            `telex generate --check` found a generated file that is missing, that is out of date, or
            whose spec file was removed. The spec was changed without generating, or a generated
            file was changed by hand. Run the same command without `--check` and commit the result;
            `--diff` shows what would change.
            """)

    /// A foreign file has the name of a generated file.
    public static let foreignFile = DiagnosticCode(
        "T0806", "a file of yours is in the way",
        example: [],
        explanation: """
            Telex overwrites and removes only files that begin with the header of generated files.
            This one does not, so it may be yours. Move it, rename it, or generate into a folder of
            its own.
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

    /// `telex new` would overwrite a file.
    public static let notEmpty = DiagnosticCode(
        "T0808", "a folder that is not empty",
        example: [],
        explanation: """
            `telex new FOLDER` writes a spec to start from, and never over anything that exists.
            Name a folder that does not exist yet or that is empty.
            """)

    /// The spec has no method of the name given to `telex explain` or `telex template`.
    public static let unknownMethod = DiagnosticCode(
        "T0809", "unknown method",
        example: [],
        explanation: """
            `telex explain METHOD` and `telex template` take the name a method has in its spec, with
            or without the name of its group: `users.get`, or `get` if only one group has it. `telex
            dump ir` lists all of them.
            """)

    /// The output folder has the client of another API.
    public static let otherAPI = DiagnosticCode(
        "T0810", "a folder with the client of another API",
        example: [],
        explanation: """
            `telex generate` updates the output folder, and removes files that telex generated there
            earlier and that have no spec file. The `API.swift` in this folder belongs to an API
            with another name, so its client would be lost. Generate into a folder of its own. If it
            is the same API under a new name, add `--replace`.
            """)

    /// `telex fmt` leaves a file as it is.
    public static let notFormatted = DiagnosticCode(
        "T0811", "a file that cannot be formatted",
        example: [],
        explanation: """
            `telex fmt` writes a file only if its values and comments are the same afterwards. A file
            with aliases (`*name`) would lose them, so write what they stand for; models and mixins
            are what specs share values by. A file that is a list or a single text is no spec.
            """)

    /// `telex fmt --check` found a file in another form.
    public static let unformatted = DiagnosticCode(
        "T0812", "a file that is not formatted",
        example: [],
        explanation: """
            `telex fmt --check` found a file that `telex fmt` would change. Run it without `--check`
            and commit the result; `--diff` shows what would change.
            """)
}
