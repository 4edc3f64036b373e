/** The weights of red, green and blue in the luminance of a colour (WCAG 2). */
const WEIGHTS = [0.2126, 0.7152, 0.0722];
/** On a colour of this luminance black and white can be read equally well. */
const MIDDLE = 0.179;

/** Black or white, whichever can be read better on a colour. @param color `#rrggbb` */
export function inkOn(color: string): '#000000' | '#ffffff' {
  const luminance = WEIGHTS.reduce((sum, weight, index) => {
    const channel = Number.parseInt(color.slice(1 + 2 * index, 3 + 2 * index), 16) / 255;
    return sum + weight * (channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
  }, 0);
  return luminance > MIDDLE ? '#000000' : '#ffffff';
}
