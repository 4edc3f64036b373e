import Button from '@mui/material/Button';
import { encode } from 'uqr';

const QUIET_MODULES = 4;
/** Pixels of a module in a file, large enough for print. */
const MODULE_SIZE = 10;

interface Drawing {
  readonly size: number;
  /** The dark modules, as the data of an SVG path. */
  readonly path: string;
}

function draw(text: string): Drawing {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_MODULES });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: dark.join('') };
}

interface QrCodeProps {
  readonly text: string;
  /** What screen readers say of it. */
  readonly label: string;
  /** The name of the file, without its ending. */
  readonly fileName: string;
}

/** A QR code, black on white whatever the page looks like, which can be saved as a file for print. */
export function QrCode({ text, label, fileName }: QrCodeProps) {
  const { size, path } = draw(text);
  return (
    <div>
      <svg
        viewBox={`0 0 ${size} ${size}`}
        width="192"
        height="192"
        shapeRendering="crispEdges"
        role="img"
        aria-label={label}
      >
        <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
        <path fill="#000" d={path} />
      </svg>
      <div>
        <Button size="small" onClick={() => save(`${fileName}.svg`, fileOf(draw(text)))}>
          Download the QR code
        </Button>
      </div>
    </div>
  );
}

function fileOf({ size, path }: Drawing): string {
  const pixels = size * MODULE_SIZE;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 ${size} ${size}" ` +
    `shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path fill="#000" d="${path}"/></svg>`
  );
}

function save(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'image/svg+xml' }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(url);
}
