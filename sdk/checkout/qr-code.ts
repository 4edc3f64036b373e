import { encode } from 'uqr';
import type { CryptoDeposit } from './types.ts';

const SVG = 'http://www.w3.org/2000/svg';
const QUIET_MODULES = 4;

/** What wallets read from the code: with the amount where their networks agree on how to say it, else the address alone. */
export function depositText({ network, asset, address, amount }: CryptoDeposit): string {
  return network === 'bitcoin' && asset === 'BTC' ? `bitcoin:${address}?amount=${amount}` : address;
}

/** A QR code of a deposit's address, black on white whatever the page looks like, to be put into the page. */
export function depositCode(deposit: CryptoDeposit): SVGSVGElement {
  return qrCode(depositText(deposit), `QR code of the ${deposit.network} address ${deposit.address}`);
}

/**
 * A QR code of a UPI link, to be scanned with a UPI app.
 * @param label what screen readers say of it
 */
export function upiCode(link: string, label = 'QR code for your UPI app'): SVGSVGElement {
  return qrCode(link, label);
}

function qrCode(text: string, label: string): SVGSVGElement {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_MODULES });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  svg.setAttribute('shape-rendering', 'crispEdges');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  svg.append(path('#fff', `M0 0h${size}v${size}h-${size}z`), path('#000', dark.join('')));
  return svg;
}

function path(fill: string, drawing: string): SVGPathElement {
  const element = document.createElementNS(SVG, 'path');
  element.setAttribute('fill', fill);
  element.setAttribute('d', drawing);
  return element;
}
