// Whether the page is used by keyboard at the moment: styles show rings of focus by it.

export function watchKeyboard(): void {
  const { dataset } = document.documentElement;
  addEventListener(
    'keydown',
    ({ ctrlKey, metaKey, altKey }) => {
      if (!ctrlKey && !metaKey && !altKey) dataset.byKeyboard = '';
    },
    true,
  );
  addEventListener('pointerdown', () => delete dataset.byKeyboard, true);
}
