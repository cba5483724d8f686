// Attacks on the UDP port of browsers' audio.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { bindingRequest } from '../../../media/webrtc/stun.ts';
import { pause } from '../conversation/scenario.ts';
import { type Attack, isOver } from './attack.ts';

const AT_ONCE = 100;
const EVERY_MS = 20;

/** A first message of DTLS, cut off after its header. */
const HELLO = Buffer.concat([
  Buffer.from('16fefd000000000000000000d8010000cc00000000000000cc', 'hex'),
  Buffer.alloc(200, 7),
]);

export const webRtcFlood: Attack = {
  name: 'a stranger floods the WebRTC port with checks, handshakes and audio of nobody',
  async strike({ mediaPort }, untilMs) {
    const attacker = createSocket('udp4');
    let [sent, answered] = [0, 0];
    attacker.on('message', () => answered++);
    attacker.bind(0, '127.0.0.78');
    await once(attacker, 'listening');
    const packet = Buffer.alloc(172, 0xff);
    packet.writeUInt32BE(0x80ef0001, 0);
    while (!isOver(untilMs)) {
      for (let n = 0; n < AT_ONCE; n++) {
        const guess = bindingRequest(`${Math.random()}:abcd`, 'a password of nobody').datagram;
        for (const datagram of [guess, HELLO, packet]) {
          attacker.send(datagram, mediaPort, '127.0.0.1');
          sent++;
        }
      }
      await pause(EVERY_MS);
    }
    attacker.close();
    return { words: `${sent} packets, ${answered} answers`, succeeded: answered > 0 };
  },
};
