import TelexJSON
import TelexTemplates
import Testing

/// The examples of the article that describes templates, one test a sentence.
@Suite("The article's templates")
struct ArticleTemplateTests {
    private func violations(_ reply: String, _ template: String) throws -> [String] {
        try Template(parsing: Array(template.utf8)).validate(Array(reply.utf8))
            .violations.map(\.description)
    }

    private let age = """
        {
          "age" : 20,
          "age-Rules" : { "minimum" : 18,
                          "maximum" : 27
                        }
        }
        """

    @Test("The algorithm will check the value so that it is in the range 18-27")
    func range() throws {
        for age in [18, 20, 27] { #expect(try violations(#"{"age": \#(age)}"#, self.age) == []) }
        #expect(
            try violations(#"{"age": 17}"#, age) == ["age: expected at least 18, found 17 [min]"])
        #expect(
            try violations(#"{"age": 28}"#, age) == ["age: expected at most 27, found 28 [max]"])
    }

    private let general = """
        {
         "favouriteFilm"         : "Avatar 2010",
         "favouriteFilm-Rules" : {
                                    "isOptional" : true
                                  },

        "jurisdiction"       : "US",
        "jurisdiction-Rules" : {
                                 "mustMatch" : true,
                               }
        }
        """

    @Test("The presence of a value for the favouriteFilm key is optional")
    func optional() throws {
        #expect(try violations(#"{"jurisdiction": "US"}"#, general) == [])
        #expect(
            try violations(#"{"jurisdiction": "US", "favouriteFilm": 1}"#, general)
                == ["favouriteFilm: expected a string, found 1 [type]"])
    }

    @Test("The jurisdiction must be present, and must necessarily be equal to US")
    func mustMatch() throws {
        #expect(
            try violations("{}", general)
                == ["jurisdiction: expected the key, found nothing [required]"])
        #expect(
            try violations(#"{"jurisdiction": "UK"}"#, general)
                == [#"jurisdiction: expected "US", found "UK" [const]"#])
    }

    /// As in the article, with the comma that it lacks before `continents`.
    private let strings = """
        {
          "crediCardPassCode"       : "4321",
          "crediCardPassCode-Rules" : {
                                       "equalInLength" : true
                                      },

          "userPassword"       : "qwerty123",
          "userPassword-Rules" : {
                                  "lengthMustBeEqualOrGreaterThan" : 6,
                                  "lengthMustBeEqualOrLessThan"    : 20
                                 },

          "rootClass"       : "NSObject",
          "rootClass-Rules" : {
                               "hasSuffix" : "NS"
                              },

         "continents"       : "Europe",
         "continents-Rules" : {
                               "matchWithOneOf" : ["Africa","Antarctica","Asia","Europe","North America","Australia","South America"]
                              }
        }
        """

    private func strings(
        code: String = "0000", password: String = "secret", root: String = "CNS",
        continent: String = "Asia"
    ) -> String {
        """
        {"crediCardPassCode": "\(code)", "userPassword": "\(password)", "rootClass": "\(root)",
         "continents": "\(continent)"}
        """
    }

    @Test("If you receive more or less than 4 digits, it will be considered an error")
    func equalInLength() throws {
        #expect(try violations(strings(), strings) == [])
        for code in ["432", "43210"] {
            #expect(
                try violations(strings(code: code), strings)
                    == [#"crediCardPassCode: expected 4 characters, found "\#(code)" [length]"#])
        }
    }

    @Test("The length of the value must be greater than or equal to this digit")
    func minimumLength() throws {
        #expect(try violations(strings(password: "123456"), strings) == [])
        #expect(
            try violations(strings(password: "12345"), strings)
                == ["userPassword: expected at least 6 characters, found ‹redacted› [min-length]"])
    }

    @Test("The length of the value must be less than or equal to this digit")
    func maximumLength() throws {
        #expect(
            try violations(strings(password: String(repeating: "x", count: 20)), strings) == [])
        let long = String(repeating: "x", count: 21)
        #expect(
            try violations(strings(password: long), strings)
                == ["userPassword: expected at most 20 characters, found ‹redacted› [max-length]"]
        )
    }

    @Test("The value must contain the given suffix; the original code tests a prefix")
    func suffix() throws {
        #expect(
            try violations(strings(root: "NSObject"), strings)
                == [#"rootClass: expected text that ends with "NS", found "NSObject" [suffix]"#])
        let original = try Template(parsing: Array(strings.utf8), compatibility: .original)
        #expect(
            original.validate(Array(strings(password: "1234567", root: "NSObject").utf8)).violations
                == [])
    }

    @Test("The value must be identical to one of the objects in the array")
    func oneOf() throws {
        #expect(try violations(strings(continent: "South America"), strings) == [])
        for continent in ["asia", "Atlantis"] {
            #expect(
                try violations(strings(continent: continent), strings).map { $0.suffix(4) }
                    == ["[in]"])
        }
    }

    @Test("The comma that the article forgot is an error with its place")
    func forgottenComma() throws {
        let text = strings.replacing("},\n\n \"continents\"", with: "}\n\n \"continents\"")
        #expect {
            try Template(parsing: Array(text.utf8))
        } throws: { error in
            "\(error)" == "18:2: expected `,` or `}`, found `\"`"
        }
    }

    @Test("The number of elements in the array is in a certain range")
    func elements() throws {
        let template = """
            {
               "carWheels" : ["left-front", "right-front",
                              "left-rear",  "right-rear"],

               "carWheels-Rules" : {
                                     "elementsMustBeEqualOrMoreThan" : 4,
                                     "elementsMustBeEqualOrLessThan" : 6
                                   }
            }
            """
        func wheels(_ count: Int) -> String {
            let list = Array(repeating: #""spare""#, count: count).joined(separator: ",")
            return #"{"carWheels": [\#(list)]}"#
        }
        for count in 4...6 { #expect(try violations(wheels(count), template) == []) }
        #expect(
            try violations(wheels(3), template)
                == ["carWheels: expected at least 4 elements, found 3 [min-items]"])
        #expect(
            try violations(wheels(7), template)
                == ["carWheels: expected at most 6 elements, found 7 [max-items]"])
    }

    @Test("The absence of the platform is no error, but if it is present, it must be identical")
    func dictionary() throws {
        let template = """
            {
             "platform"  :  {
                              "OS"     : "iOS",
                              "device" : "iPhone",
                            },

             "platform-Rules" : {
                                 "isOptional" : true,
                                 "mustMatch"  : true
                                }
            }
            """
        #expect(try violations("{}", template) == [])
        let same = #"{"platform": {"device": "iPhone", "OS": "iOS"}}"#
        #expect(try violations(same, template) == [])
        for other in [#"{"OS": "iOS"}"#, #"{"OS": "iOS", "device": "iPhone", "size": 6}"#] {
            #expect(try violations(#"{"platform": \#(other)}"#, template).count == 1)
        }
    }

    @Test("By default, the absence of a key from the template is perceived as an error")
    func absence() throws {
        #expect(try violations("{}", age) == ["age: expected the key, found nothing [required]"])
    }

    @Test(
        "the article's templates mustMatch applies to strings, numbers, dictionaries and arrays",
        arguments: [(#""a""#, #""b""#), ("1", "2"), (#"{"a": 1}"#, #"{"a": 2}"#), ("[1]", "[2]")])
    func mustMatchOfAll(value: String, other: String) throws {
        let template = #"{"a": \#(value), "a-Rules": {"mustMatch": true}}"#
        #expect(try violations(#"{"a": \#(value)}"#, template) == [])
        #expect(try violations(#"{"a": \#(other)}"#, template).count == 1)
    }

    @Test("Dictionaries can have only two rules; others belong to the objects within")
    func rulesOfDictionaries() {
        for rule in [
            #""minimum": 1"#, #""hasSuffix": "S""#, #""elementsMustBeEqualOrMoreThan": 1"#,
        ] {
            #expect(throws: TemplateError.self) {
                try Template(parsing: Array(#"{"a": {"b": 1}, "a-Rules": {\#(rule)}}"#.utf8))
            }
        }
    }

    @Test("The mask chooses checks for keys, for nested keys, for types and for rules")
    func mask() throws {
        let template = try Template(
            parsing: Array(#"{"a": 1, "b": {"c": 1}, "d": 1, "d-Rules": {"maximum": 1}}"#.utf8))
        func paths(_ reply: String, _ checks: JSONChecks) -> [String] {
            template.validate(Array(reply.utf8), checks: checks).violations.map(\.path)
        }
        let reply = #"{"b": {}, "d": 2}"#
        #expect(paths(reply, .keys) == ["a"])
        #expect(paths(reply, .nestedKeys) == ["b.c"])
        #expect(paths(reply, .rules) == ["d"])
        #expect(paths(#"{"a": "", "b": {}, "d": 2}"#, .types) == ["a"])
        #expect(Set(paths(reply, .all)) == ["a", "b.c", "d"])
    }

    @Test("The original code cannot compare two arrays; here, each element is compared")
    func arrays() throws {
        let template = #"{"users": [{"id": 1}]}"#
        let reply = #"{"users": [{"id": 2}, {}]}"#
        #expect(
            try violations(reply, template)
                == ["users[1].id: expected the key, found nothing [required]"])
        let original = try Template(parsing: Array(template.utf8), compatibility: .original)
        #expect(original.validate(Array(reply.utf8)).violations == [])
    }

    @Test("There will be no errors if you do not change old objects, but add something new")
    func additions() throws {
        #expect(try violations(#"{"age": 20, "name": {"first": "A"}}"#, age) == [])
    }

    @Test("Booleans do not support rules but isOptional and mustMatch")
    func booleans() throws {
        #expect(throws: TemplateError.self) {
            try Template(parsing: Array(#"{"a": true, "a-Rules": {"minimum": 0}}"#.utf8))
        }
        let match = #"{"a": true, "a-Rules": {"mustMatch": true}}"#
        #expect(try violations(#"{"a": true}"#, match) == [])
        #expect(try violations(#"{"a": false}"#, match).count == 1)
    }
}
