/** The icon in the browser's tab; it follows the system's theme. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" fill="none" stroke="#1f5fd0"><style>@media (prefers-color-scheme: dark) { path { stroke: #8ab4ff } }</style><path d="M2 10h2M6 6v8M10 3v14M14 6v8M18 10h0" stroke-width="2" stroke-linecap="round"/></svg>`;
