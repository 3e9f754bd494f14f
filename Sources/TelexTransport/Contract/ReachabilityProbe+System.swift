import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension ReachabilityProbe {
    /// A probe that queries the operating system on background threads.
    public static let system = ReachabilityProbe(
        hasLink: { await inBackground { SystemNetwork.hasLink } },
        resolves: { host in await inBackground { !SystemNetwork.addresses(of: host).isEmpty } },
        connects: { host, port in
            await inBackground {
                SystemNetwork.addresses(of: host, port: port)
                    .contains(where: SystemNetwork.connects)
            }
        })

    private static let queue = DispatchQueue(label: "telex.reachability", attributes: .concurrent)

    /// Runs `body` on a Dispatch queue, because a name server that does not answer blocks its
    /// thread for half a minute.
    private static func inBackground(_ body: @escaping @Sendable () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}

/// The system calls that a diagnosis needs. All of them block.
private enum SystemNetwork {
    /// The connection time-out in milliseconds.
    private static let patience: Int32 = 1000

    /// An address of a host, with the parameters of a socket to it.
    struct Target {
        var family: Int32
        package var kind: Int32
        package var address: [UInt8]
    }

    package static var hasLink: Bool {
        var list: UnsafeMutablePointer<ifaddrs>?
        // If the interfaces cannot be listed, the next check decides.
        guard getifaddrs(&list) == 0 else { return true }
        defer { freeifaddrs(list) }
        var next = list
        while let interface = next?.pointee {
            let flags = Int(interface.ifa_flags)
            let isUp = flags & Int(IFF_UP) != 0 && flags & Int(IFF_LOOPBACK) == 0
            if isUp, let address = interface.ifa_addr, isOnNetwork(address) { return true }
            next = interface.ifa_next
        }
        return false
    }

    private static func isOnNetwork(_ address: UnsafeMutablePointer<sockaddr>) -> Bool {
        let family = Int32(address.pointee.sa_family)
        guard family == AF_INET6 else { return family == AF_INET }
        // A link-local address (RFC 4291, section 2.5.6) exists without a network.
        return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
            withUnsafeBytes(of: address.pointee.sin6_addr) { !($0[0] == 0xFE && $0[1] >> 6 == 2) }
        }
    }

    package static func addresses(of host: String, port: Int = 0) -> [Target] {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var targets: [Target] = []
        var next = list
        while let info = next?.pointee {
            let bytes = UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen))
            targets.append(
                Target(family: info.ai_family, kind: info.ai_socktype, address: Array(bytes)))
            next = info.ai_next
        }
        return targets
    }

    package static func connects(_ target: Target) -> Bool {
        let descriptor = socket(target.family, target.kind, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { return false }
        let result = target.address.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { address in
                connect(descriptor, address.baseAddress, socklen_t(bytes.count))
            }
        }
        return result == 0 || errno == EINPROGRESS && isWritable(descriptor)
    }

    /// Whether a pending connection is established before the time-out.
    private static func isWritable(_ descriptor: Int32) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&polled, 1, patience) == 1 else { return false }
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0
    }
}
