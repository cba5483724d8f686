/**
 * Sends a frame each 20 ms, however late the timers are: no phone and no microphone is slower. Returns what ends it.
 */
export function sendInTime(sendFrame: () => void): () => void {
  const startedAt = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (; sent < (performance.now() - startedAt) / 20; sent++) sendFrame();
  }, 10);
  return () => clearInterval(timer);
}
