// The HTML beside a mail's text, made of the text itself, so that both always say the same. A line that is an address
// alone becomes a link, a line of six digits a code; all other words are only words, whoever chose them.

const STYLE = {
  body: 'margin:0;padding:24px;background:#f4f5f7;font-family:system-ui,-apple-system,Segoe UI,Arial,sans-serif;color:#1c2230',
  card: 'max-width:520px;margin:0 auto;padding:28px;background:#ffffff;border-radius:10px;font-size:16px;line-height:1.5',
  name: 'margin:0 0 16px;font-weight:600;color:#57606f;font-size:14px',
  link: 'color:#1f56d8;word-break:break-all',
  code: 'margin:16px 0;font-size:30px;letter-spacing:6px;font-weight:600',
};

/** @param sender the installation's name */
export function mailHtml({ text, language = 'en' }: { text: string; language?: string }, sender: string): string {
  const paragraphs = text.trim().split(/\n{2,}/);
  const name = `<p style="${STYLE.name}">${escaped(sender)}</p>`;
  const body = `<div style="${STYLE.card}">${name}${paragraphs.map(paragraph).join('')}</div>`;
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head><body style="${STYLE.body}">${body}</body></html>`;
}

function paragraph(text: string): string {
  if (/^\d{6}$/.test(text)) return `<p style="${STYLE.code}">${text}</p>`;
  return `<p>${text.split('\n').map(line).join('<br>')}</p>`;
}

function line(text: string): string {
  const words = escaped(text);
  return /^https?:\/\/\S+$/.test(text) ? `<a href="${words}" style="${STYLE.link}">${words}</a>` : words;
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
