// The dashboard's start in the browser: the theme, the keyboard, and the application.
import { render } from 'preact';
import { App } from './app.tsx';
import { watchKeyboard } from './by-keyboard.ts';
import { enterWhenSent } from './entered.ts';
import './styles/index.css';
import { applyTheme } from './theme.ts';
import { loadWords } from './words/words.ts';

applyTheme();
enterWhenSent();
watchKeyboard();
const root = document.getElementById('app');
loadWords().then(() => root !== null && render(<App />, root));
