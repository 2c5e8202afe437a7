// The bundler turns imported style sheets into dist/webview.css.
declare module '*.css';
