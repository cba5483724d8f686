# Asks LiveKit's detector of turn ends, inside of LiveKit Agents, as its licence wants it: livekit-alone.ts runs this by
# the Python of an environment that has livekit-agents. A line of input is PCM16 at 16 kHz of a caller up to a silence, in
# base64; a line of output is the likelihood that the turn is over.
import asyncio
import base64
import sys

from livekit import rtc
from livekit.agents.inference import TurnDetector

RATE_HZ = 16_000
FRAME_BYTES = 640
# The detector takes its audio in by a task of its own.
TAKEN_IN_S = 0.02


async def main() -> None:
    detector = TurnDetector(version="v1-mini")
    for line in sys.stdin:
        stream = detector.stream()
        pcm = base64.b64decode(line)
        for at in range(0, len(pcm) - FRAME_BYTES + 1, FRAME_BYTES):
            stream.push_audio(rtc.AudioFrame(pcm[at : at + FRAME_BYTES], RATE_HZ, 1, FRAME_BYTES // 2))
        await asyncio.sleep(TAKEN_IN_S)
        event = await stream.predict()
        print(event.end_of_turn_probability, flush=True)
        await stream.aclose()


asyncio.run(main())
