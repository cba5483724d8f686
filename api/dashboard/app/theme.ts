// Light or dark: the system's setting, or the user's own, stored in this browser.
import { signal } from '@preact/signals';

const KEY = 'voice.theme';
export type Theme = 'system' | 'light' | 'dark';

export const theme = signal<Theme>((localStorage.getItem(KEY) as Theme | null) ?? 'system');

export function applyTheme(next: Theme = theme.value): void {
  theme.value = next;
  if (next === 'system') {
    localStorage.removeItem(KEY);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(KEY, next);
    document.documentElement.dataset.theme = next;
  }
}
