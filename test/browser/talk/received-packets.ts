// The audio that a page receives by WebRTC, as the browser itself counts it.
import type { Page } from 'playwright-core';

/** Keeps the connections that the page makes from now on; `changed`: code that makes another answer of `answer`. */
export const keepConnections = (page: Page, changed = 'answer'): Promise<unknown> =>
  page.addInitScript(`{
    const take = RTCPeerConnection.prototype.setRemoteDescription;
    window.peers = [];
    RTCPeerConnection.prototype.setRemoteDescription = function (answer) {
      window.peers.push(this);
      return take.call(this, ${changed});
    };
  }`);

/** Of the newest connection. */
export const receivedPackets = (page: Page): Promise<number> =>
  page.evaluate(`window.peers.at(-1)?.getStats().then((stats) =>
    [...stats.values()].reduce((sum, { type, packetsReceived }) => sum + (type === 'inbound-rtp' ? packetsReceived : 0), 0)) ?? 0`);
