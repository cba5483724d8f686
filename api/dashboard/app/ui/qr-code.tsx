// A QR code as an image.
import { encode } from 'uqr';

/** Drawn as one path, so that no markup is built from text. Show the text as well, for users who cannot scan. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path d={dark.join('')} />
    </svg>
  );
}
