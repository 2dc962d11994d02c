// These functions are sent to the page as text, and run there in an isolated world. They must not use anything outside of them.

/** The members of DOM elements that these functions use. */
interface Field {
  readonly localName: string;
  readonly isContentEditable?: boolean;
  type: string;
  value: string;
  readonly control?: Field | null;
  closest(selector: string): Field | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
}
interface Canvas {
  getContext(kind: '2d'): { fillStyle: string };
}
declare const document: {
  createElement(name: 'input'): Field;
  createElement(name: 'canvas'): Canvas;
};
declare function getSelection(): { collapseToEnd(): void };

export function isEditable(element: unknown): boolean {
  return (element as Field).isContentEditable === true;
}

/** Puts the caret at the end of the selection. */
export function caretToEnd(): void {
  getSelection().collapseToEnd();
}

/**
 * Whether a control rejects a value, by the value sanitization algorithm of its type (HTML, 4.10.5.1), and what it accepts instead;
 * null: it accepts the value, perhaps in another format. A copy of the control is used, so that no script of the page notices.
 */
export function rejectedValue(element: unknown, value: string): { type: string; accepted: string } | null {
  const field = element as Field;
  const input = field.localName === 'input' ? field : (field.closest('label')?.control ?? field);
  const wanted = value.trim();
  if (input.localName !== 'input' || wanted === '') return null;
  const { type } = input;
  const copy = document.createElement('input');
  copy.type = type;
  for (const name of ['min', 'max', 'step']) {
    const limit = input.getAttribute(name);
    if (limit !== null) copy.setAttribute(name, limit);
  }
  copy.value = wanted;
  const accepted = copy.value;
  return isAccepted() ? null : { type, accepted };

  function isAccepted(): boolean {
    switch (type) {
      case 'date':
      case 'time':
      case 'datetime-local':
      case 'month':
      case 'week':
      case 'number':
        return accepted !== '';
      case 'range':
        return Number(accepted) === Number(wanted);
      case 'color': {
        // A canvas writes colours as the control does, and keeps its colour if a new one is invalid.
        const canvas = document.createElement('canvas').getContext('2d');
        canvas.fillStyle = '#010203';
        canvas.fillStyle = wanted;
        return canvas.fillStyle === accepted;
      }
      default:
        return true;
    }
  }
}
