/* The part of elf.h that asm/objects needs: names and layouts are those of the ELF-64
 * object file format. */
#ifndef JM_WEB_ELF_H
#define JM_WEB_ELF_H

#include <stdint.h>

typedef uint16_t Elf64_Half, Elf64_Section;
typedef uint32_t Elf64_Word;
typedef uint64_t Elf64_Xword, Elf64_Addr, Elf64_Off;

enum { EI_CLASS = 4, EI_DATA, EI_VERSION, EI_NIDENT = 16 };
enum { ELFCLASS64 = 2, ELFDATA2LSB = 1, EV_CURRENT = 1 };
#define ELFMAG "\177ELF"
#define SELFMAG 4

typedef struct {
    unsigned char e_ident[EI_NIDENT];
    Elf64_Half e_type, e_machine;
    Elf64_Word e_version;
    Elf64_Addr e_entry;
    Elf64_Off e_phoff, e_shoff;
    Elf64_Word e_flags;
    Elf64_Half e_ehsize, e_phentsize, e_phnum, e_shentsize, e_shnum, e_shstrndx;
} Elf64_Ehdr;
enum { ET_REL = 1, ET_EXEC = 2 };

typedef struct {
    Elf64_Word sh_name, sh_type;
    Elf64_Xword sh_flags;
    Elf64_Addr sh_addr;
    Elf64_Off sh_offset;
    Elf64_Xword sh_size;
    Elf64_Word sh_link, sh_info;
    Elf64_Xword sh_addralign, sh_entsize;
} Elf64_Shdr;
enum { SHT_NULL, SHT_PROGBITS, SHT_SYMTAB, SHT_STRTAB, SHT_RELA, SHT_NOBITS = 8 };
enum { SHT_SYMTAB_SHNDX = 18, SHN_UNDEF = 0, SHN_ABS = 0xFFF1 };
enum { SHF_WRITE = 1, SHF_ALLOC = 2, SHF_EXECINSTR = 4, SHF_INFO_LINK = 64 };

typedef struct {
    Elf64_Word st_name;
    unsigned char st_info, st_other;
    Elf64_Section st_shndx;
    Elf64_Addr st_value;
    Elf64_Xword st_size;
} Elf64_Sym;
enum { STB_LOCAL, STB_GLOBAL, STT_NOTYPE = 0, STT_SECTION = 3, STT_FILE = 4 };
#define ELF64_ST_BIND(info) ((info) >> 4)
#define ELF64_ST_TYPE(info) ((info)&0xF)
#define ELF64_ST_INFO(bind, type) (((bind) << 4) + ((type)&0xF))

typedef struct {
    Elf64_Addr r_offset;
    Elf64_Xword r_info;
    int64_t r_addend;
} Elf64_Rela;
#define ELF64_R_SYM(info) ((info) >> 32)
#define ELF64_R_TYPE(info) ((info)&0xFFFFFFFF)
#define ELF64_R_INFO(symbol, type) (((symbol) << 32) + (type))

typedef struct {
    Elf64_Word p_type, p_flags;
    Elf64_Off p_offset;
    Elf64_Addr p_vaddr, p_paddr;
    Elf64_Xword p_filesz, p_memsz, p_align;
} Elf64_Phdr;
enum { PT_LOAD = 1, PF_X = 1, PF_W = 2, PF_R = 4 };

#endif
