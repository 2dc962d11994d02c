// Functions that are sent to the page as text, and run there in an isolated world: they may use nothing from here.

/** What they use of fields. */
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

/** Of what is selected. */
export function caretToEnd(): void {
  getSelection().collapseToEnd();
}

/**
 * What a control makes of a value that it does not take, by the value sanitization algorithm of its type (HTML, 4.10.5.1);
 * null: it takes it, perhaps in words of its own. A copy is asked, which no script of the page looks after.
 */
export function refusalOf(element: unknown, value: string): { type: string; taken: string } | null {
  const one = element as Field;
  const it = one.localName === 'input' ? one : (one.closest('label')?.control ?? one);
  const asked = value.trim();
  if (it.localName !== 'input' || asked === '') return null;
  const { type } = it;
  const copy = document.createElement('input');
  copy.type = type;
  for (const name of ['min', 'max', 'step']) {
    const limit = it.getAttribute(name);
    if (limit !== null) copy.setAttribute(name, limit);
  }
  copy.value = asked;
  const taken = copy.value;
  return takes() ? null : { type, taken };

  function takes(): boolean {
    switch (type) {
      case 'date':
      case 'time':
      case 'datetime-local':
      case 'month':
      case 'week':
      case 'number':
        return taken !== '';
      case 'range':
        return Number(taken) === Number(asked);
      case 'color': {
        // A canvas writes colours as the control does, and keeps the one it has when it is given none.
        const canvas = document.createElement('canvas').getContext('2d');
        canvas.fillStyle = '#010203';
        canvas.fillStyle = asked;
        return canvas.fillStyle === taken;
      }
      default:
        return true;
    }
  }
}
