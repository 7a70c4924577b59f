//! Writing a file whole or not at all, and the kinds of files that pictures are written to.

use super::failure::Failure;
use std::io::Write;
use std::path::Path;

/// A file that a picture is to be written to.
pub struct PictureFile<'a> {
    path: &'a Path,
    format: Format,
}

enum Format {
    Svg,
    Png,
}

impl<'a> PictureFile<'a> {
    /// Complains if the kind of picture is not known or the folder is not there, before any work is done.
    pub fn new(path: &'a Path) -> Result<PictureFile<'a>, Failure> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_ascii_lowercase();
        let format = match ending.as_str() {
            "svg" => Format::Svg,
            "png" => Format::Png,
            _ => {
                let path = path.display();
                return Err(Failure::input(format!("a picture is SVG or PNG: let {path} end in .svg or .png")));
            }
        };
        check_folder(path)?;
        Ok(PictureFile { path, format })
    }

    pub fn path(&self) -> &Path {
        self.path
    }

    /// Writes a picture that is an SVG document.
    pub fn write(&self, svg: &str) -> Result<(), Failure> {
        match self.format {
            Format::Svg => write_whole(self.path, svg.as_bytes()),
            Format::Png => write_whole(self.path, &hextb::picture::png(svg)?),
        }
    }
}

/// Writes a file under a temporary name first, so that a failure leaves an older one as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |e: std::io::Error| {
        // The system's words alone: the library's also name the temporary file.
        let reason =
            e.raw_os_error().map_or_else(|| e.kind().to_string(), |c| std::io::Error::from_raw_os_error(c).to_string());
        Failure::system(format!("cannot write {}: {reason}", path.display()))
    };
    check_folder(path)?;
    // Through a link to what it points at.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = parent(&target);
    if let Ok(metadata) = std::fs::metadata(&target) {
        if !metadata.is_file() {
            // A pipe or a terminal cannot be replaced by a rename.
            return std::fs::write(&target, bytes).map_err(failed);
        }
        if metadata.permissions().readonly() {
            return Err(Failure::system(format!("cannot write {}: it is read-only", path.display())));
        }
    }
    let mut file =
        usual_permissions(&mut tempfile::Builder::new()).prefix(".hextb-").tempfile_in(folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.persist(&target).map_err(|e| failed(e.error))?;
    Ok(())
}

/// Complains if the folder that a file is to be in is not there: before much work is done for the file.
pub fn check_folder(path: &Path) -> Result<(), Failure> {
    let folder = parent(path);
    match folder.is_dir() {
        true => Ok(()),
        false => {
            let (path, folder) = (path.display(), folder.display());
            Err(Failure::system(format!("cannot write {path}: there is no folder {folder}")))
        }
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a temporary file readable like any other that the user makes; by default it would be private.
fn usual_permissions<'a, 'b, 'c>(builder: &'a mut tempfile::Builder<'b, 'c>) -> &'a mut tempfile::Builder<'b, 'c> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}
