// The style of the widget, within its shadow root. Its colours and places are custom properties of the page:
// docs/widget.md names them.

export const STYLE = `
:host {
  all: initial;
  --color: var(--voice-widget-color, #1d4ed8);
  --on-color: var(--voice-widget-on-color, #fff);
  --back: var(--voice-widget-background, #fff);
  --text: var(--voice-widget-text, #16181d);
  --soft: color-mix(in srgb, var(--text) 72%, var(--back));
  --line: color-mix(in srgb, var(--text) 18%, var(--back));
  --field: color-mix(in srgb, var(--text) 6%, var(--back));
  --radius: var(--voice-widget-radius, 16px);
  color-scheme: light;
  position: fixed;
  inset-block-end: var(--voice-widget-bottom, 20px);
  inset-inline-end: var(--voice-widget-side, 20px);
  z-index: var(--voice-widget-layer, 2147483000);
  font: 400 16px / 1.45 var(--voice-widget-font, system-ui, sans-serif);
  color: var(--text);
}
@media (prefers-color-scheme: dark) {
  :host(:not([data-theme='light'])) {
    color-scheme: dark;
    --color: var(--voice-widget-color, #93b4ff);
    --on-color: var(--voice-widget-on-color, #0b1020);
    --back: var(--voice-widget-background, #1a1d24);
    --text: var(--voice-widget-text, #eef0f4);
  }
}
:host([data-theme='dark']) {
  color-scheme: dark;
  --color: var(--voice-widget-color, #93b4ff);
  --on-color: var(--voice-widget-on-color, #0b1020);
  --back: var(--voice-widget-background, #1a1d24);
  --text: var(--voice-widget-text, #eef0f4);
}
* { box-sizing: border-box; }
p, h2, ol { margin: 0; padding: 0; }
h2 { font-size: 18px; line-height: 1.3; }
svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
button, textarea { font: inherit; color: inherit; }
button {
  min-height: 44px;
  padding: 8px 16px;
  border: 1px solid var(--line);
  border-radius: 999px;
  background: var(--back);
  cursor: pointer;
}
button:hover { background: var(--field); }
button:disabled { opacity: 0.55; cursor: default; }
button[aria-pressed='true'] { background: var(--text); color: var(--back); }
:focus-visible { outline: 3px solid var(--color); outline-offset: 2px; }
.open, .primary, .primary:hover, .open:hover { background: var(--color); border-color: transparent; color: var(--on-color); }
.open:hover, .primary:hover:not(:disabled) { filter: brightness(1.08); }
.open { display: flex; gap: 10px; align-items: center; margin-inline-start: auto; min-height: 52px; padding-inline: 20px; box-shadow: 0 6px 20px rgb(0 0 0 / 25%); font-weight: 600; }
.open.running { animation: calls 1.6s infinite; }
@keyframes calls { 50% { box-shadow: 0 0 0 8px color-mix(in srgb, var(--color) 35%, transparent); } }
@media (prefers-reduced-motion: reduce) { .open.running { animation: none; } }
.danger, .danger:hover { background: #b91c1c; border-color: transparent; color: #fff; }
.icon { display: grid; place-items: center; width: 44px; padding: 0; border-color: transparent; }
.panel {
  display: flex;
  flex-direction: column;
  gap: 12px;
  inline-size: min(380px, calc(100vw - 2 * var(--voice-widget-side, 20px)));
  max-block-size: min(640px, calc(100vh - 120px));
  margin-block-end: 12px;
  padding: 16px;
  overflow: auto;
  border: 1px solid var(--line);
  border-radius: var(--radius);
  background: var(--back);
  box-shadow: 0 12px 40px rgb(0 0 0 / 28%);
}
.panel:focus { outline: none; }
header { display: flex; justify-content: space-between; align-items: center; gap: 8px; }
.soft { color: var(--soft); }
.who { font-size: 14px; margin-block-start: -8px; }
.ways { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; }
.part { display: flex; flex-direction: column; gap: 12px; min-block-size: 0; }
.acts { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px; }
.acts button { padding-inline: 6px; }
.keys { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px; }
.said { display: flex; flex-direction: column; gap: 8px; list-style: none; overflow: auto; max-block-size: 260px; overflow-wrap: anywhere; }
.said:empty { display: none; }
.said li { max-inline-size: 88%; padding: 8px 12px; border-radius: 14px; background: var(--field); white-space: pre-line; }
.said li.mine { align-self: flex-end; background: var(--color); color: var(--on-color); }
.said li.soft { background: none; padding-inline: 0; }
.write { display: flex; gap: 8px; align-items: flex-end; }
textarea { flex: 1; min-inline-size: 0; resize: none; padding: 10px 12px; border: 1px solid var(--soft); border-radius: 12px; background: var(--back); }
[role='alert'] { padding: 10px 12px; border-radius: 10px; border: 1px solid currentColor; }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 480px) {
  .panel { max-block-size: calc(100vh - 110px); }
}
`;
