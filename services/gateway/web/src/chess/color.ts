// The two sides of a game.
export type Color = 'white' | 'black';

export const other = (color: Color): Color => (color === 'white' ? 'black' : 'white');
