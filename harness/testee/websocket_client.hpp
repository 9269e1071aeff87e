#pragma once

#include "harness/dialect/socket_form.hpp"
#include "harness/observe/frame_style.hpp"
#include "harness/testee/http_client.hpp"

namespace splitproof::testee {

/// Form of the client's own frames. All forms are valid and have the same meaning.
struct SocketSending {
  observe::FrameStyle frames = {};
  bool in_bytes = false;  ///< Each byte is a write.
};

/// Asks for answers over one new WebSocket, one after the other, and reads each until its last event. `what` is the
/// first request as over HTTP; `more` are the bodies of further requests. It answers pings, sends a close frame after
/// the last answer, and reads until the connection ends or `closing` is over. It offers no extension and no
/// subprotocol.
///
/// The body of a reply is the event stream with the same events, so all rules about streams judge it. Its `http` is
/// absent, unless the target refuses the handshake. Then the refusal is the only reply. `socket` has the facts of the
/// connection, in the last reply.
///
/// A close frame with code 1000, 1001 or none ends an answer as a whole HTTP body does. Without its last event it is
/// incomplete, and the rules of the protocol see that. Any other code, and an end without a close frame, is
/// `cut`. Pings do not count as bytes of the answer: a target that only sends pings hangs.
std::vector<Reply> converse(const HttpAddress& to, const Post& what, const std::vector<std::string>& more,
                            const dialect::SocketForm& form, const SocketSending& sending,
                            const ClientTimeouts& timeouts, const ClientEvents& events,
                            const StopToken& leave);

}  // namespace splitproof::testee
