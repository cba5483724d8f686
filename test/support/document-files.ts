// Small files of documents, made here: PDFs by hand, Word documents as archives.
import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';

interface PdfLine {
  text: string;
  /** Points; default 12. */
  size?: number;
}

interface PdfOptions {
  /** Written to the trailer, e.g. ` /Encrypt 9 0 R`. */
  trailer?: string;
  objects?: readonly string[];
}

/** A PDF (ISO 32000-1) with these lines on its pages, from the top. */
export function pdf(pages: readonly (readonly PdfLine[])[], { trailer = '', objects = [] }: PdfOptions = {}): Buffer {
  const streams = pages.map((lines) => {
    let y = 780;
    const shown = lines.map(({ text, size = 12 }) => {
      y -= size * 1.3;
      return `BT /F1 ${size} Tf 50 ${y.toFixed(1)} Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`;
    });
    return Buffer.from(shown.join('\n'), 'latin1');
  });
  return pdfOfStreams(streams, { trailer, objects });
}

/** The contents of its pages as they are; all pages may share one. */
export function pdfOfStreams(
  streams: readonly Buffer[],
  { pages = streams.length, trailer = '', objects = [] }: PdfOptions & { pages?: number } = {},
): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => 4 + streams.length + index);
  const parts: Buffer[] = [];
  const all: (string | Buffer)[] = [
    `<< /Type /Catalog /Pages 2 0 R >>`,
    `<< /Type /Pages /Count ${pages} /Kids [${kids.map((id) => `${id} 0 R`).join(' ')}] >>`,
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>`,
    ...streams.map((stream) => {
      const packed = deflateSync(stream);
      const head = `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`;
      return Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream')]);
    }),
    ...kids.map(
      (_, index) =>
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${4 + (index % streams.length)} 0 R ` +
        `/Resources << /Font << /F1 3 0 R >> >> >>`,
    ),
    ...objects,
  ];
  let bytes = 0;
  const push = (part: string | Buffer): void => {
    const buffer = Buffer.from(part as string, 'latin1');
    parts.push(buffer);
    bytes += buffer.length;
  };
  push('%PDF-1.7\n');
  const offsets = all.map((object, index) => {
    const at = bytes;
    push(`${index + 1} 0 obj\n`);
    push(object);
    push('\nendobj\n');
    return at;
  });
  const start = bytes;
  push(`xref\n0 ${all.length + 1}\n0000000000 65535 f \n`);
  for (const offset of offsets) push(`${String(offset).padStart(10, '0')} 00000 n \n`);
  push(`trailer\n<< /Size ${all.length + 1} /Root 1 0 R${trailer} >>\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.concat(parts);
}

/** `body`: what stands in `w:body`. Styles: Word's own names under German ids. */
export function docx(body: string, more: Readonly<Record<string, Uint8Array>> = {}): Buffer {
  const names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const styles = [1, 2].map(
    (level) =>
      `<w:style w:type="paragraph" w:styleId="berschrift${level}"><w:name w:val="heading ${level}"/></w:style>`,
  );
  return Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8('<Types/>'),
      'word/document.xml': strToU8(`<?xml version="1.0"?><w:document ${names}><w:body>${body}</w:body></w:document>`),
      'word/styles.xml': strToU8(`<w:styles ${names}>${styles.join('')}</w:styles>`),
      ...more,
    }),
  );
}

export const word = (text: string, style?: string): string =>
  `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;
