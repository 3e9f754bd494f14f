/// Placeholder until merged.
public enum OutputName {
    public static func file(forSpec relativePath: String) -> String { relativePath + ".swift" }
}
