/* The version of jm. */
#ifndef JM_TOOLS_VERSION_H
#define JM_TOOLS_VERSION_H

/* The release and a digest of the sources that results depend on, "1.0.0+0123456789ab".
 * Programs of the same text give the same results. The build makes it (Makefile). */
extern const char version_text[];

/* The same for people: what `jm --version` prints, without the last newline. */
extern const char version_lines[];

#endif
