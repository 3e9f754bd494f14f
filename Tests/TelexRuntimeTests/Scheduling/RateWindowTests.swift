import Testing

@testable import TelexRuntime
@testable import TelexScheduling

@Suite("The window of a rate")
struct RateWindowTests {
    @Test(
        "the window of a rate remembers little more than the requests that the rate allows",
        arguments: [1, 3, 400])
    func memory(requests: Int) {
        var window = RateWindow(RequestRate(requests, per: .seconds(60)))
        var most = 0
        for number in 0..<requests * 10 {
            let now = max(window.opening, .seconds(number / requests))
            window.record(at: now)
            #expect(window.opening == .zero || window.remembered >= requests)
            most = max(most, window.remembered)
        }
        #expect(most <= requests + requests / 4 + 1)
    }
}
