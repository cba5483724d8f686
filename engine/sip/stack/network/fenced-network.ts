// A network on which an engine that stood still sends and takes nothing: each packet passes engine/fence.ts first,
// because other engines may have taken this one for dead.
import type { Datagrams, Network, Stream } from './network.ts';

/** A network whose packets pass the fence, in both directions. */
export function fencedNetwork(network: Network, fence: { pass(): void }): Network {
  const passing = (stream: Stream): Stream => ({
    remote: stream.remote,
    get pendingBytes() {
      return stream.pendingBytes;
    },
    handle: ({ connected, data, closed }) =>
      stream.handle({
        connected,
        closed,
        data(bytes) {
          fence.pass();
          data(bytes);
        },
      }),
    write(bytes) {
      fence.pass();
      stream.write(bytes);
    },
    end: () => stream.end(),
    destroy: () => stream.destroy(),
  });
  return {
    async bindDatagrams(at, received): Promise<Datagrams> {
      const datagrams = await network.bindDatagrams(at, (bytes, from) => {
        fence.pass();
        received(bytes, from);
      });
      return {
        local: datagrams.local,
        send(bytes, to, failed) {
          fence.pass();
          datagrams.send(bytes, to, failed);
        },
        close: () => datagrams.close(),
      };
    },
    listen: (at, tls, admit, accepted) => network.listen(at, tls, admit, (stream) => accepted(passing(stream))),
    connect: (to, tls) => passing(network.connect(to, tls)),
    names: network.names,
  };
}
